import { limits } from '#contract/limits.ts';
import { alikeQueries } from './alike-queries.ts';
import { vocabularyOf } from './load-vocabulary.ts';
import { hasConditions } from './meets-conditions.ts';
import { planSearch } from './plan-search.ts';
import { rankAnswer } from './ranked-videos.ts';
import type { NearestQuery, SearchRequest } from './search-request.ts';
import type { SearchDependencies } from './search-videos.ts';
import { surveyAnswer, surveyedMax } from './survey-answer.ts';

const offeredMax = 4;
const triedMax = 12;
/** More videos than these are not read to see which of them meet a condition. */
const readMax = 200;

/** Queries that find something in place of one that finds nothing, likeliest first, each with the number of videos that it finds. */
export async function nearestQueries(dependencies: SearchDependencies, request: SearchRequest, text: string): Promise<NearestQuery[]> {
  const vocabulary = await vocabularyOf(dependencies.pool, dependencies.index);
  const alike = alikeQueries(text, vocabulary).filter((one) => [...one].length <= limits.queryMaxCodePoints);
  const offered: NearestQuery[] = [];
  for (const one of alike.slice(0, triedMax)) {
    const count = await countVideos(dependencies, { ...request, query: [one] });
    if (count && count.videos > 0) offered.push({ text: one, ...count });
    if (offered.length === offeredMax) break;
  }
  return offered;
}

/** How many videos a query finds; undefined where too many would have to be read for it. */
async function countVideos(
  dependencies: SearchDependencies,
  request: SearchRequest,
): Promise<{ videos: number; orMore?: true } | undefined> {
  const { plans } = await planSearch(dependencies, request);
  if (plans.length === 0) return undefined;
  const ranking = await rankAnswer(dependencies, request, { plans, atLeast: surveyedMax });
  if (!plans.some(hasConditions)) return { videos: ranking.videos.length, ...(ranking.isComplete ? {} : { orMore: true }) };
  if (!ranking.isComplete || ranking.videos.length > readMax) return undefined;
  const { videos } = await surveyAnswer(dependencies.pool, { ...ranking, verdicts: new Map() }, { plans, request });
  return { videos: videos.length };
}
