import { SearchTurn } from '../../turns/search-turn.ts';
import { answeringPlans, countMatches } from '../match/found-video.ts';
import { hasConditions, meetsAnyPlan } from '../match/meets-conditions.ts';
import { namesInBody } from '../match/names-in-body.ts';
import { readVideos, type VideoWithBody } from '../match/read-videos.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { acceptsKind } from '../query/text-scope.ts';
import type { KeptRanking } from '../rank/ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { foldName } from './narrowing.ts';
import { type Survey, type SurveyedVideo, surveyedMax } from './survey.ts';

const readAtOnceMax = 25;

/**
 * Looks at the best videos of a ranking: counts their matches and gathers their names. Videos that fail a condition are left out.
 * At the deadline it ends with those that were looked at, and says so.
 */
export async function surveyAnswer(
  { pool, bodies, deadline }: SearchRun,
  ranking: KeptRanking,
  { plans, request }: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<Survey> {
  const showing = { answering: answeringPlans(plans), accepts: acceptsKind({ textScope: request.textScope }) };
  const conditional = plans.some(hasConditions);
  const ids = ranking.videos.slice(0, surveyedMax).map(({ id }) => id);
  const videos: SurveyedVideo[] = [];
  const nameOf = namesOnce();
  const turn = new SearchTurn(deadline.work);
  let ranked = 0;
  for await (const some of readInTurns({ pool, bodies }, ids)) {
    if (ranked > 0 && deadline.isOver) break;
    ranked = Math.min(ids.length, ranked + readAtOnceMax);
    for (const video of some) {
      if (turn.isOver) await turn.next();
      const passes = !conditional || meetsAnyPlan(video, video.body, plans);
      if (conditional) ranking.verdicts.set(video.id, passes);
      if (passes) videos.push({ ...factsOf(video, nameOf), counts: countMatches(video, video.body, showing) });
    }
  }
  return { videos, isAll: ranking.isComplete && ranked === ranking.videos.length, ranked };
}

/** While some are looked at, the database reads the next. */
async function* readInTurns(search: Pick<SearchRun, 'pool' | 'bodies'>, ids: readonly string[]): AsyncGenerator<VideoWithBody[]> {
  const read = (from: number) => {
    // A thousand videos would drive out those of the pages that people are at.
    const reading = readVideos(search, ids.slice(from, from + readAtOnceMax), { keep: false });
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

function factsOf(video: VideoWithBody, nameOf: (text: string) => string): Omit<SurveyedVideo, 'counts'> {
  const { id, durationInSeconds, createdAt, body } = video;
  const inBody = namesInBody(body.packed);
  const once = (group: 'people' | 'labels' | 'brands') => [...new Set([...video[group], ...inBody[group]].map(nameOf))];
  return { id, durationInSeconds, createdMs: createdAt.getTime(), people: once('people'), labels: once('labels'), brands: once('brands') };
}

/** Gives one and the same text for a name, however it is written. It is a copy: a name cut from a packed row would keep the whole row. */
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
