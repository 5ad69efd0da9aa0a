import type { Pool } from '../db/database.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { Deadline } from '../turns/deadline.ts';
import type { SearchWork } from '../turns/search-turn.ts';
import { arrangeSurvey } from './list/arrange-survey.ts';
import { surveyOf } from './list/kept-surveys.ts';
import { listVideos } from './list/list-videos.ts';
import { isNarrowing, type Narrowing } from './list/narrowing.ts';
import { searchedFor } from './match/explain-answer.ts';
import { hasConditions } from './match/meets-conditions.ts';
import { readFound, readPage } from './match/read-page.ts';
import { inSearchTime, planSearch } from './query/plan-search.ts';
import type { SearchPlan } from './query/search-plan.ts';
import { rankedVideos } from './rank/ranked-videos.ts';
import type { SearchAnswer, SearchRequest } from './search-request.ts';
import { nearestQueries } from './suggest/nearest-queries.ts';

/** What a search works with. */
export interface SearchDependencies {
  readonly pool: Pool;
  readonly index: SearchIndex;
  /** When it has to end; five seconds after it began where nothing is said. */
  readonly deadline?: Deadline | undefined;
  /** Where what it works is counted. */
  readonly work?: SearchWork | undefined;
}

/**
 * Answers a search with one page of videos and their matching moments, best first unless it asks for another order. Without
 * a query it lists all videos, newest first. Throws `query_too_long`, and `unavailable` when it takes too long.
 */
export function searchVideos({ pool, index, ...time }: SearchDependencies, request: SearchRequest): Promise<SearchAnswer> {
  return inSearchTime(async (deadline) => {
    const dependencies = { pool, index, deadline };
    const { texts, plans } = await planSearch(dependencies, request);
    if (texts.length === 0) return await listVideos(dependencies.pool, request);
    const { narrowing } = request;
    const answer = isNarrowing(narrowing)
      ? await answerNarrowed(dependencies, { ...request, narrowing }, plans)
      : await answerPlans(dependencies, request, plans);
    const [text = '', plan] = [texts[0], plans[0]];
    if (texts.length > 1 || !plan) return answer;
    const taken = answer.results.length > 0 ? searchedFor(text, plan) : undefined;
    const nearest = (await foundNothing(dependencies, request, { plans, answer })) ? await nearestQueries(dependencies, request, text) : [];
    return { ...answer, ...(taken ? { searchedFor: taken } : {}), ...(nearest.length > 0 ? { nearest } : {}) };
  }, time);
}

/** Whether it is the query that finds nothing, and not a filter that leaves nothing of what it finds. */
async function foundNothing(
  dependencies: SearchDependencies,
  request: SearchRequest,
  { plans, answer }: { plans: readonly SearchPlan[]; answer: SearchAnswer },
): Promise<boolean> {
  const isFirstPage = request.skip === 0 && request.createdBefore === undefined && request.purpose === 'results';
  if (!isFirstPage || answer.results.length > 0) return false;
  return !isNarrowing(request.narrowing) || (await surveyOf(dependencies, request, plans)).videos.length === 0;
}

async function answerPlans(dependencies: SearchDependencies, request: SearchRequest, plans: readonly SearchPlan[]): Promise<SearchAnswer> {
  const { skip, pageSize } = request;
  const createdBefore = request.createdBefore ?? new Date();
  const asked = { ...request, createdBefore };
  const isFirstPage = request.createdBefore === undefined;
  // One more than the page holds tells whether another one follows.
  for (let atLeast = skip + pageSize + 1; ; ) {
    const ranking = await rankedVideos(dependencies, asked, { plans, isFirstPage, atLeast });
    const { results, done } = await readPage(dependencies, ranking, { plans, request });
    // Conditions may have taken so many videos away that further ones have to be looked at.
    const mayGoOn = done && plans.some(hasConditions) && !ranking.isComplete && ranking.videos.length >= atLeast;
    if (mayGoOn) {
      atLeast = ranking.videos.length + 1;
      continue;
    }
    const total = ranking.isComplete && !plans.some(hasConditions) ? { totalCount: ranking.videos.length } : {};
    return { results, nextPage: { pageSize, skip: skip + pageSize, done, ...total, createdBefore } };
  }
}

/** An order of its own, or filters, are a matter of the whole answer, as far as it is surveyed. */
async function answerNarrowed(
  dependencies: SearchDependencies,
  request: SearchRequest & { narrowing: Narrowing },
  plans: readonly SearchPlan[],
): Promise<SearchAnswer> {
  const { skip, pageSize } = request;
  const survey = await surveyOf(dependencies, request, plans);
  const ids = arrangeSurvey(survey, request.narrowing);
  return {
    results: await readFound(dependencies.pool, ids.slice(skip, skip + pageSize), { plans, request }),
    ...(survey.isAll ? {} : { arrangedAmong: survey.ranked }),
    nextPage: {
      pageSize,
      skip: skip + pageSize,
      done: ids.length <= skip + pageSize,
      ...(survey.isAll ? { totalCount: ids.length } : {}),
      createdBefore: survey.createdBefore,
    },
  };
}
