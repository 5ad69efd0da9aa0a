import { limits } from '#contract/limits.ts';
import type { NearestQuery } from '#contract/video-service.ts';
import type { Vocabulary } from '../../words/vocabulary.ts';
import { surveyedMax } from '../list/survey.ts';
import { surveyAnswer } from '../list/survey-answer.ts';
import { hasConditions } from '../match/meets-conditions.ts';
import { expandQuery } from '../query/expand-query.ts';
import { parseQuery } from '../query/parse-query.ts';
import { type Alternative, type SearchPlan, tellingConcepts } from '../query/search-plan.ts';
import { rankAnswer } from '../rank/ranked-videos.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { fit } from '../weights.ts';
import { alikeQueries } from './alike-queries.ts';

const offeredMax = 4;
const triedMax = 12;
/** A query whose words more videos hold is not counted to its end, and no more videos are read for a condition. */
const countedMax = 200;
const firstVideos = 13;

/**
 * Queries that find something in place of one that finds nothing, likeliest first, each with the number of videos that it
 * finds: the true one where few hold its words, else the least that it can be.
 */
export async function nearestQueries(search: SearchRun, request: SearchRequest, text: string): Promise<NearestQuery[]> {
  const vocabulary = await search.vocabulary.for();
  const alike = alikeQueries(text, vocabulary).filter((one) => [...one].length <= limits.queryMaxCodePoints);
  const offered: NearestQuery[] = [];
  for (const one of alike.slice(0, triedMax)) {
    // Some are of use too.
    if (search.deadline.isOver) break;
    const plan = expandQuery(parseQuery(one), vocabulary);
    if (plan.concepts.length + plan.ids.length === 0) continue;
    const { videos, isAll } = await countVideos(search, { ...request, query: [one] }, { plan, vocabulary });
    if (videos > 0) offered.push({ text: one, videos, ...(isAll ? {} : { orMore: true }) });
    if (offered.length === offeredMax) break;
  }
  return offered;
}

async function countVideos(
  search: SearchRun,
  request: SearchRequest,
  { plan, vocabulary }: { plan: SearchPlan; vocabulary: Vocabulary },
): Promise<{ videos: number; isAll: boolean }> {
  const holding = tellingConcepts(plan).flatMap((n) => plan.concepts[n]?.alternatives.map((way) => videosHolding(way, vocabulary)) ?? []);
  const isFew = holding.reduce((sum, videos) => sum + videos, 0) <= countedMax;
  const ranking = await rankAnswer(search, request, { plans: [plan], atLeast: isFew ? surveyedMax : firstVideos });
  if (hasConditions(plan)) {
    const few = { videos: ranking.videos.slice(0, countedMax), isComplete: ranking.isComplete && ranking.videos.length <= countedMax };
    const { videos, isAll } = await surveyAnswer(search, { ...few, verdicts: new Map() }, { plans: [plan], request });
    return { videos: videos.length, isAll };
  }
  if (ranking.isComplete) return { videos: ranking.videos.length, isAll: true };
  return { videos: Math.max(ranking.videos.length, isFiltered(request, plan) ? 0 : leastHolding(plan, vocabulary)), isAll: false };
}

/** At most so many videos hold these words in a row. */
function videosHolding({ tokens }: Alternative, vocabulary: Vocabulary): number {
  return Math.min(...tokens.map((token) => vocabulary.count(token)));
}

/** At least so many videos are found by the words themselves, where each of them alone finds. */
function leastHolding(plan: SearchPlan, vocabulary: Vocabulary): number {
  const words = tellingConcepts(plan).flatMap(
    (n) => plan.concepts[n]?.alternatives.filter((way) => way.fit === fit.exact && way.tokens.length === 1 && !way.field) ?? [],
  );
  return Math.max(0, ...words.map((way) => videosHolding(way, vocabulary)));
}

function isFiltered({ ids, externalIds, faces, owners, createdAfter }: SearchRequest, plan: SearchPlan): boolean {
  return plan.ids.length + plan.notIds.length > 0 || [ids, externalIds, faces, owners, createdAfter].some((filter) => filter !== undefined);
}
