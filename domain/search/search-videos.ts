import type { NearestQuery } from '#contract/video-service.ts';
import { listVideos } from './list/list-videos.ts';
import { isNarrowing, type Narrowing } from './list/narrowing.ts';
import { arrangeSurvey } from './list/survey.ts';
import { surveyOf } from './list/survey-cache.ts';
import { searchedFor } from './match/explain-answer.ts';
import { hasConditions } from './match/meets-conditions.ts';
import { readFound, readPage } from './match/read-page.ts';
import { joinMeaning } from './meaning/join-meaning.ts';
import { showMeant } from './meaning/show-meant.ts';
import { piecesOf, unknownFields } from './query/parse-query.ts';
import { planSearch } from './query/plan-search.ts';
import type { SearchPlan } from './query/search-plan.ts';
import { findRanking } from './rank/find-ranking.ts';
import { rankedMax } from './rank/rank-plan.ts';
import type { SearchRun } from './search-parts.ts';
import type { SearchAnswer, SearchRequest } from './search-request.ts';
import { nearestQueries } from './suggest/nearest-queries.ts';

/**
 * Answers a search with one page of videos and their matching moments, best first unless it asks for another order. Without
 * a query it lists all videos, newest first. Throws `query_too_long` and `SearchTimeout`.
 */
export async function searchVideos(search: SearchRun, request: SearchRequest): Promise<SearchAnswer> {
  const { texts, plans } = await planSearch(search, request);
  if (texts.length === 0) return await listVideos(search.pool, request);
  const { narrowing } = request;
  const answer = isNarrowing(narrowing)
    ? await answerNarrowed(search, { ...request, narrowing }, plans)
    : await answerPlans(search, request, plans);
  const [text = '', plan] = [texts[0], plans[0]];
  if (texts.length > 1 || !plan) return answer;
  const taken = answer.results.length > 0 ? searchedFor(text, plan) : undefined;
  const nearest = await nearestTo(search, request, { text, plans, answer });
  return { ...answer, ...(taken ? { searchedFor: taken } : {}), ...(nearest.length > 0 ? { nearest } : {}) };
}

/** What else to ask: when nothing is found, or no result holds what was meant as a field. */
async function nearestTo(
  search: SearchRun,
  request: SearchRequest,
  { text, ...found }: { text: string; plans: readonly SearchPlan[]; answer: SearchAnswer },
): Promise<NearestQuery[]> {
  if (await foundNothing(search, request, found)) return await nearestQueries(search, request, { text });
  const { results } = found.answer;
  const isHeld = (surface: string) => results.some(({ lacks }) => !lacks.includes(surface));
  const mayLack = beginsAnswer(request) && results.length > 0;
  if (!mayLack || !unknownFields(piecesOf(text)).some(({ surface }) => !isHeld(surface))) return [];
  return await nearestQueries(search, request, { text, only: 'fields' });
}

/** Whether it is the query that finds nothing, and not a filter that leaves nothing of what it finds. */
async function foundNothing(
  search: SearchRun,
  request: SearchRequest,
  { plans, answer }: { plans: readonly SearchPlan[]; answer: SearchAnswer },
): Promise<boolean> {
  if (!beginsAnswer(request) || answer.results.length > 0) return false;
  return !isNarrowing(request.narrowing) || (await surveyOf(search, request, plans)).videos.length === 0;
}

function beginsAnswer({ skip, createdBefore, purpose }: SearchRequest): boolean {
  return skip === 0 && createdBefore === undefined && purpose === 'results';
}

async function answerPlans(search: SearchRun, request: SearchRequest, plans: readonly SearchPlan[]): Promise<SearchAnswer> {
  const { skip, pageSize } = request;
  const createdBefore = request.createdBefore ?? new Date();
  const asked = { ...request, createdBefore };
  const isFirstPage = request.createdBefore === undefined;
  const isConditional = plans.some(hasConditions);
  const most = rankedMax(plans);
  // One more than the page holds tells whether another one follows; a page behind the last ranked video asks for no more than these.
  for (let atLeast = Math.min(skip + pageSize + 1, most); ; ) {
    const byWords = await findRanking(search, asked, { plans, isFirstPage, atLeast });
    const ranking = await joinMeaning(search, byWords, { plans, request: asked });
    const page = await readPage(search, ranking, { plans, request });
    const { done } = page;
    const results = await showMeant(search, page.results, ranking);
    // Conditions may have taken so many videos away that further ones have to be looked at: then all that may be.
    const mayGoOn = done && isConditional && !ranking.isComplete && ranking.videos.length >= atLeast && atLeast < most;
    if (mayGoOn) {
      atLeast = most;
      continue;
    }
    const total = ranking.isComplete && !isConditional ? { totalCount: ranking.videos.length } : {};
    // Further videos may meet the conditions; so many are looked at, and no more.
    const among = isConditional && done && !ranking.isComplete ? { arrangedAmong: ranking.videos.length } : {};
    return { results, ...among, nextPage: { pageSize, skip: skip + pageSize, done, ...total, createdBefore } };
  }
}

/** An order of its own, or filters, are a matter of the whole answer, as far as it is surveyed. */
async function answerNarrowed(
  search: SearchRun,
  request: SearchRequest & { narrowing: Narrowing },
  plans: readonly SearchPlan[],
): Promise<SearchAnswer> {
  const { skip, pageSize } = request;
  const survey = await surveyOf(search, request, plans);
  const ids = arrangeSurvey(survey, request.narrowing);
  return {
    results: await readFound(search, ids.slice(skip, skip + pageSize), { plans, request }),
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
