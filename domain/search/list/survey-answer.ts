import { serverLimits } from '#contract/limits.ts';
import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import type { CodeRoom } from '../../search-index/code-room.ts';
import type { NameMatchKind } from '../../search-index/films/film-text.ts';
import { makeAnswering } from '../match/answering.ts';
import { countFilm } from '../match/count-matches.ts';
import { hasConditions, meetsAnyPlan } from '../match/meets-conditions.ts';
import { factsAtOnceMax, readFacts, type VideoFacts } from '../match/read-facts.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { acceptsKind } from '../query/text-scope.ts';
import type { CachedRanking } from '../rank/ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { foldName } from './narrowing.ts';
import type { Survey, SurveyedVideo } from './survey.ts';

/**
 * Looks at the best videos of a ranking: counts their matches and gathers their names. Videos that fail a condition are left out.
 * At the deadline, and when it has found very many words, it ends with those that were looked at, and says so.
 */
export async function surveyAnswer(search: SearchRun, ranking: CachedRanking, asked: Asked): Promise<Survey> {
  const { rooms } = search.index;
  return await rooms.use((room) => rooms.use((next) => surveyIn([room, next], search, { ranking, ...asked })));
}

interface Asked {
  readonly plans: readonly SearchPlan[];
  readonly request: SearchRequest;
}

/** The rooms are those of the batch that is looked at, and of the next one. */
async function surveyIn(
  rooms: readonly CodeRoom[],
  search: SearchRun,
  { ranking, plans, request }: Asked & { ranking: CachedRanking },
): Promise<Survey> {
  const showing = { answering: makeAnswering(plans), accepts: acceptsKind({ textScope: request.textScope }) };
  const conditional = plans.some(hasConditions);
  const best = ranking.videos.slice(0, serverLimits.rankedVideosMax).map(({ id }) => id);
  // A page of the same answer may have looked at them before.
  const ids = best.filter((id) => ranking.meetsConditions.get(id) !== false);
  const videos: SurveyedVideo[] = [];
  const nameOf = rememberNames();
  const { deadline } = search;
  const slice = new SearchTimeSlice(deadline.work);
  let [looked, hits] = [0, 0];
  for await (const some of readAhead(search, ids, rooms)) {
    if (looked > 0 && (deadline.isOver || hits > serverLimits.surveyedHitsMax)) break;
    looked = Math.min(ids.length, looked + factsAtOnceMax);
    for (const video of some) {
      if (slice.isOver) await slice.next();
      const passes = !conditional || (ranking.meetsConditions.get(video.id) ?? meetsAnyPlan(video, plans));
      if (conditional) ranking.meetsConditions.set(video.id, passes);
      if (!passes) continue;
      const found = countFilm(video, showing);
      hits += found.hits;
      videos.push({ ...factsOf(video, nameOf), counts: found.counts });
    }
  }
  const ranked = looked === ids.length ? best.length : best.indexOf(ids[looked] ?? '');
  return { videos, isAll: ranking.isComplete && ranked === ranking.videos.length, ranked };
}

/** Batch by batch: while one is looked at, the database reads the next. */
async function* readAhead(search: SearchRun, ids: readonly string[], rooms: readonly CodeRoom[]): AsyncGenerator<VideoFacts[]> {
  const read = (from: number) => {
    const room = rooms[(from / factsAtOnceMax) % rooms.length];
    room?.clear();
    const reading = readFacts(search, ids.slice(from, from + factsAtOnceMax), room);
    // Thrown where this batch is waited for, below.
    reading.catch(() => {});
    return reading;
  };
  let next = read(0);
  try {
    for (let from = 0; from < ids.length; from += factsAtOnceMax) {
      const some = await next;
      next = read(from + factsAtOnceMax);
      yield some;
    }
  } finally {
    // Nobody else may have the room before it is read.
    await next.catch(() => {});
  }
}

function factsOf(video: VideoFacts, nameOf: (text: string) => string): Omit<SurveyedVideo, 'counts'> {
  const { id, durationInSeconds, isPlayable, createdMs, film } = video;
  const once = (names: readonly string[], kind: NameMatchKind) => {
    const inFilm = film.names.flatMap((name) => (name.kind === kind ? [name.text] : []));
    return [...new Set([...names, ...inFilm].map(nameOf))];
  };
  const named = { people: once(video.people, 'Face'), labels: once(video.labels, 'Annotations'), brands: once(video.brands, 'Brand') };
  return { id, durationInSeconds, isPlayable, createdMs, ...named };
}

/** Gives one and the same text for a name, however it is written. It is a copy: a name cut from the names of a film would keep all of them. */
function rememberNames(): (text: string) => string {
  const names = new Map<string, string>();
  // Nearly all are written as they were before, and to fold one takes longer than all else.
  const asWritten = new Map<string, string>();
  return (text) => {
    const known = asWritten.get(text);
    if (known !== undefined) return known;
    const key = foldName(text);
    const name = names.get(key) ?? Buffer.from(text.trim()).toString();
    names.set(Buffer.from(key).toString(), name);
    asWritten.set(Buffer.from(text).toString(), name);
    return name;
  };
}
