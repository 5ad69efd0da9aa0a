import type { Pool } from '../db/database.ts';
import { answerKey, rankedVideos } from './ranked-videos.ts';
import type { SearchIndex } from './search-index.ts';
import type { SearchPlan } from './search-plan.ts';
import type { SearchRequest } from './search-request.ts';
import { type Survey, surveyAnswer, surveyedMax } from './survey-answer.ts';

/** A survey, and the time as of which it was made. */
export interface KeptSurvey extends Survey {
  readonly createdBefore: Date;
}

/** A search may stand under two keys. */
const surveysKept = 100;
const kept = new WeakMap<SearchIndex, Map<string, Promise<KeptSurvey>>>();

/**
 * The survey of an answer. Every page, order, filter and count of one search shares it, also while it is being made.
 * A first page takes the one of an earlier asker as long as nothing in the index has changed since.
 */
export async function surveyOf(
  { pool, index }: { pool: Pool; index: SearchIndex },
  request: SearchRequest,
  plans: readonly SearchPlan[],
): Promise<KeptSurvey> {
  const surveys = keptSurveys(index);
  const isFirstPage = request.createdBefore === undefined;
  const key = isFirstPage ? `${await index.batch()} ${answerKey(request)}` : answerKey(request);
  const known = surveys.get(key);
  if (known) return await known;
  const createdBefore = request.createdBefore ?? new Date();
  const asked = { ...request, createdBefore };
  const making = (async () => {
    const ranking = await rankedVideos({ pool, index }, asked, { plans, isFirstPage, atLeast: surveyedMax });
    return { ...(await surveyAnswer(pool, ranking, { plans, request })), createdBefore };
  })();
  for (const each of new Set([key, answerKey(asked)])) keep(surveys, each, making);
  return await making;
}

function keptSurveys(index: SearchIndex): Map<string, Promise<KeptSurvey>> {
  const known = kept.get(index);
  if (known) return known;
  const fresh = new Map<string, Promise<KeptSurvey>>();
  kept.set(index, fresh);
  return fresh;
}

function keep(surveys: Map<string, Promise<KeptSurvey>>, key: string, making: Promise<KeptSurvey>): void {
  surveys.set(key, making);
  // One that failed is made again by the next asker.
  making.catch(() => surveys.delete(key));
  const [oldest] = surveys.keys();
  if (surveys.size > surveysKept && oldest !== undefined) surveys.delete(oldest);
}
