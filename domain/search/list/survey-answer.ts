import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import type { FilmCodes } from '../../search-index/films/film-codes.ts';
import { FilmRoom } from '../../search-index/films/film-room.ts';
import type { NameKind } from '../../search-index/films/film-text.ts';
import { findSignificantHits, textKinds } from '../match/film-hits.ts';
import { findMatchedLines } from '../match/find-matched-lines.ts';
import { nameKey } from '../match/find-moments.ts';
import { someWordHit } from '../match/find-word-hits.ts';
import { type HeadOfVideo, headMatches } from '../match/head-matches.ts';
import { addCounts, countByKind, type MatchCounts } from '../match/match-counts.ts';
import type { Showing } from '../match/match-videos.ts';
import { hasConditions, meetsAnyPlan } from '../match/meets-conditions.ts';
import type { MomentMatch } from '../match/moment-match.ts';
import { answeringPlans } from '../match/plan-matcher.ts';
import { readFacts, type VideoFacts } from '../match/read-facts.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { acceptsKind } from '../query/text-scope.ts';
import type { CachedRanking } from '../rank/ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { foldName } from './narrowing.ts';
import { type Survey, type SurveyedVideo, surveyedMax } from './survey.ts';

const readAtOnceMax = 50;

/**
 * Looks at the best videos of a ranking: counts their matches and gathers their names. Videos that fail a condition are left out.
 * At the deadline it ends with those that were looked at, and says so.
 */
export async function surveyAnswer(
  search: SearchRun,
  ranking: CachedRanking,
  { plans, request }: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<Survey> {
  const showing = { answering: answeringPlans(plans), accepts: acceptsKind({ textScope: request.textScope }) };
  const conditional = plans.some(hasConditions);
  const ids = ranking.videos.slice(0, surveyedMax).map(({ id }) => id);
  const videos: SurveyedVideo[] = [];
  const nameOf = namesOnce();
  const { deadline } = search;
  const slice = new SearchTimeSlice(deadline.work);
  let ranked = 0;
  for await (const some of readInTurns(search, ids)) {
    if (ranked > 0 && deadline.isOver) break;
    ranked = Math.min(ids.length, ranked + readAtOnceMax);
    for (const video of some) {
      if (slice.isOver) await slice.next();
      const passes = !conditional || meetsAnyPlan(video, plans);
      if (conditional) ranking.verdicts.set(video.id, passes);
      if (passes) videos.push({ ...factsOf(video, nameOf), counts: countMatches(video, video.film, showing) });
    }
  }
  return { videos, isAll: ranking.isComplete && ranked === ranking.videos.length, ranked };
}

/** While some are looked at, the database reads the next. */
async function* readInTurns(search: SearchRun, ids: readonly string[]): AsyncGenerator<VideoFacts[]> {
  // Those that are looked at, and the next.
  const rooms = [new FilmRoom(), new FilmRoom()];
  const read = (from: number) => {
    const room = rooms[(from / readAtOnceMax) % rooms.length];
    room?.clear();
    const reading = readFacts(search, ids.slice(from, from + readAtOnceMax), room);
    // Heard of when its turn comes.
    reading.catch(() => {});
    return reading;
  };
  let next = read(0);
  for (let from = 0; from < ids.length; from += readAtOnceMax) {
    const some = await next;
    next = read(from + readAtOnceMax);
    yield some;
  }
}

function factsOf(video: VideoFacts, nameOf: (text: string) => string): Omit<SurveyedVideo, 'counts'> {
  const { id, durationInSeconds, createdAt, film } = video;
  const once = (names: readonly string[], kind: NameKind) => {
    const inFilm = film.names.flatMap((name) => (name.kind === kind ? [name.text] : []));
    return [...new Set([...names, ...inFilm].map(nameOf))];
  };
  const named = { people: once(video.people, 'Face'), labels: once(video.labels, 'Annotations'), brands: once(video.brands, 'Brand') };
  return { id, durationInSeconds, createdMs: createdAt.getTime(), ...named };
}

/** Gives one and the same text for a name, however it is written. It is a copy: a name cut from the names of a film would keep all of them. */
function namesOnce(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const key = foldName(text);
    const known = names.get(key);
    if (known !== undefined) return known;
    const copy = Buffer.from(text.trim()).toString();
    names.set(Buffer.from(key).toString(), copy);
    return copy;
  };
}

/** How many matches a video has in all: what its card tells, but for lines that hold other words of the same codes. */
function countMatches(video: HeadOfVideo, film: FilmCodes, { answering, accepts }: Pick<Showing, 'answering' | 'accepts'>): MatchCounts {
  const counts: Partial<Record<MomentMatch['kind'], number>> = {};
  const named = new Set<string>();
  const add = (kind: MomentMatch['kind'], count: number) => {
    if (count > 0) counts[kind] = (counts[kind] ?? 0) + count;
  };
  for (const kind of textKinds) if (accepts(kind)) add(kind, findMatchedLines(film.lines[kind], kind, answering).length);
  for (const { kind, codes, text, lines } of film.names) {
    if (lines.length === 0 || !accepts(kind) || findSignificantHits(codes, answering.matcher, kind).length === 0) continue;
    add(kind, lines.length);
    named.add(nameKey(kind, text));
  }
  // Most heads hold nothing of what is asked for.
  if (!someWordHit(film.head, answering.matcher.significant, { isEnough: () => true })) return counts;
  return addCounts(counts, countByKind(headMatches(video, answering, named).filter(({ kind }) => accepts(kind))));
}
