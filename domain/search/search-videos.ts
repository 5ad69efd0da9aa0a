import { Problem } from '#contract/problem.ts';
import type { Pool } from '../db/database.ts';
import { expandQuery } from './expand-query.ts';
import { searchedFor } from './explain-answer.ts';
import { listVideos } from './list-videos.ts';
import { vocabularyOf } from './load-vocabulary.ts';
import { hasConditions } from './meets-conditions.ts';
import { parseQuery } from './parse-query.ts';
import { rankedVideos } from './ranked-videos.ts';
import { readPage } from './read-page.ts';
import type { SearchIndex } from './search-index.ts';
import type { SearchPlan } from './search-plan.ts';
import type { SearchAnswer, SearchRequest } from './search-request.ts';

/** What a search works with. */
export interface SearchDependencies {
  readonly pool: Pool;
  readonly index: SearchIndex;
}

/**
 * Answers a search with one page of videos and their matching moments, best first. Without a query it lists all videos,
 * newest first. Throws `query_too_long`.
 */
export async function searchVideos({ pool, index }: SearchDependencies, request: SearchRequest): Promise<SearchAnswer> {
  const texts = request.query.filter((text) => text.trim() !== '');
  const queries = texts.map((text) => parseQuery(text, { suggesting: request.purpose === 'suggestions' }));
  try {
    if (texts.length === 0) return await listVideos(pool, request);
    const words = queries.flatMap(({ concepts }) => concepts.flatMap(({ anyOf }) => anyOf.flatMap(({ tokens }) => tokens)));
    const vocabulary = await vocabularyOf(pool, index, words);
    const plans = queries.map((query) => expandQuery(query, vocabulary)).filter(({ concepts, ids }) => concepts.length + ids.length > 0);
    const answer = await answerPlans({ pool, index }, request, plans);
    const [text = '', plan] = [texts[0], plans[0]];
    const taken = texts.length === 1 && plan && answer.results.length > 0 ? searchedFor(text, plan) : undefined;
    return taken ? { ...answer, searchedFor: taken } : answer;
  } catch (error) {
    if (error instanceof Error && /timeout/i.test(error.message)) {
      throw new Problem('unavailable', 'The search took too long. Try again in a moment.', { retryAfterSeconds: 2, cause: error });
    }
    throw error;
  }
}

async function answerPlans(
  { pool, index }: SearchDependencies,
  request: SearchRequest,
  plans: readonly SearchPlan[],
): Promise<SearchAnswer> {
  const { skip, pageSize } = request;
  const createdBefore = request.createdBefore ?? new Date();
  const asked = { ...request, createdBefore };
  const isFirstPage = request.createdBefore === undefined;
  // One more than the page holds tells whether another one follows.
  for (let atLeast = skip + pageSize + 1; ; ) {
    const ranking = await rankedVideos({ pool, index }, asked, { plans, isFirstPage, atLeast });
    const { results, done } = await readPage(pool, ranking, { plans, request });
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
