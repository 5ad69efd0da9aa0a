import { Problem } from '#contract/problem.ts';
import { keptBy } from '../kept/kept-by.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { expandQuery } from './expand-query.ts';
import { vocabularyOf } from './load-vocabulary.ts';
import { parseQuery } from './parse-query.ts';
import type { Query } from './query.ts';
import type { SearchPlan } from './search-plan.ts';
import type { SearchRequest } from './search-request.ts';
import type { SearchDependencies } from './search-videos.ts';

/** What a request asks for. Without texts it asks for every video; texts without any word have no plan, and find nothing. */
export interface PlannedSearch {
  readonly texts: readonly string[];
  readonly plans: readonly SearchPlan[];
}

/** Reads the texts of a request with the words of the archive. Throws `query_too_long`. */
export async function planSearch(
  { pool, index }: SearchDependencies,
  { query, purpose }: Pick<SearchRequest, 'query' | 'purpose'>,
): Promise<PlannedSearch> {
  const texts = query.filter((text) => text.trim() !== '');
  const queries = texts.map((text) => parseQuery(text, { suggesting: purpose === 'suggestions' }));
  if (texts.length === 0) return { texts, plans: [] };
  const words = queries.flatMap(({ concepts }) => concepts.flatMap(({ anyOf }) => anyOf.flatMap(({ tokens }) => tokens)));
  const vocabulary = await vocabularyOf(pool, index, words);
  const plans = queries.map((each) => planOf(index, each, vocabulary)).filter(({ concepts, ids }) => concepts.length + ids.length > 0);
  return { texts, plans };
}

const plansKept = 200;
const keptPlans = keptBy<SearchIndex, { plan: SearchPlan; batch: number }>(plansKept);

/** To look for what may stand for a word takes as long as to rank what it finds: whoever asks the same has the same plan. */
function planOf(index: SearchIndex, query: Query, vocabulary: Vocabulary): SearchPlan {
  const plans = keptPlans(index);
  const key = JSON.stringify(query);
  const known = plans.find(key);
  if (known?.batch === vocabulary.batch) return known.plan;
  const plan = expandQuery(query, vocabulary);
  plans.keep(key, { plan, batch: vocabulary.batch });
  return plan;
}

/** Does the work of a search. What takes too long ends as `unavailable`. */
export async function inSearchTime<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && /timeout/i.test(error.message)) {
      throw new Problem('unavailable', 'The search took too long. Try again in a moment.', { retryAfterSeconds: 2, cause: error });
    }
    throw error;
  }
}
