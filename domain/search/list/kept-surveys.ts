import { keptBy } from '../../kept/kept-by.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { answerKey, firstKey, rankedVideos } from '../rank/ranked-videos.ts';
import type { SearchRequest } from '../search-request.ts';
import type { SearchDependencies } from '../search-videos.ts';
import { type Survey, surveyAnswer, surveyedMax } from './survey-answer.ts';

/** A survey, and the time as of which it was made. */
export interface KeptSurvey extends Survey {
  readonly createdBefore: Date;
}

/** A search may stand under two keys. */
const surveysKept = 100;
const keptSurveys = keptBy<SearchIndex, Promise<KeptSurvey>>(surveysKept);

/**
 * The survey of an answer. Every page, order, filter and count of one search shares it, also while it is being made.
 * A first page takes the one of an earlier asker as long as nothing in the index has changed since.
 */
export async function surveyOf(
  dependencies: SearchDependencies,
  request: SearchRequest,
  plans: readonly SearchPlan[],
): Promise<KeptSurvey> {
  const { index } = dependencies;
  const surveys = keptSurveys(index);
  const isFirstPage = request.createdBefore === undefined;
  const key = isFirstPage ? await firstKey(index, request, plans) : answerKey(request);
  const known = surveys.find(key);
  if (known) return await known;
  const createdBefore = request.createdBefore ?? new Date();
  const asked = { ...request, createdBefore };
  const making = (async () => {
    const ranking = await rankedVideos(dependencies, asked, { plans, isFirstPage, atLeast: surveyedMax });
    return { ...(await surveyAnswer(dependencies, ranking, { plans, request })), createdBefore };
  })();
  for (const each of [key, answerKey(asked)]) {
    surveys.keep(each, making);
    // One that failed is made again by the next asker.
    making.catch(() => surveys.forget(each));
  }
  return await making;
}
