import type { SearchPlan } from '../query/search-plan.ts';
import { answerKey, findRanking, makeFirstPageKey } from '../rank/find-ranking.ts';
import { limitRanked } from '../rank/ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { CachedSurvey } from './survey.ts';
import { surveyAnswer } from './survey-answer.ts';

/*
 * This room is about whole lists: what a list without a query holds, and a survey of an answer's best videos, by which it is counted,
 * filtered and put in another order.
 */

/**
 * The survey of an answer. Every page, order, filter and count of one search shares it, also while it is being made.
 * A first page takes the one of an earlier search as long as nothing in the index has changed since.
 */
export async function surveyOf(search: SearchRun, request: SearchRequest, plans: readonly SearchPlan[]): Promise<CachedSurvey> {
  const { index, surveys } = search;
  const isFirstPage = request.createdBefore === undefined;
  const key = isFirstPage ? await makeFirstPageKey(index, request, plans) : answerKey(request);
  const known = surveys.get(key);
  if (known) return await known;
  const createdBefore = request.createdBefore ?? new Date();
  const asked = { ...request, createdBefore };
  const making = (async () => {
    const ranking = await findRanking(search, asked, { plans, isFirstPage, atLeast: limitRanked(plans) });
    return new CachedSurvey(await surveyAnswer(search, ranking, { plans, request }), createdBefore);
  })();
  // Further pages name the time of the first one.
  for (const each of [key, answerKey(asked)]) {
    surveys.set(each, making);
    // One that failed is made again by the next search.
    making.catch(() => surveys.delete(each));
  }
  return await making;
}
