import { Problem } from '#contract/problem.ts';
import { keptBy } from '../../kept/kept-by.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { Deadline } from '../../turns/deadline.ts';
import type { Vocabulary } from '../../words/vocabulary.ts';
import type { SearchRequest } from '../search-request.ts';
import type { SearchDependencies } from '../search-videos.ts';
import { expandQuery } from './expand-query.ts';
import { vocabularyOf } from './load-vocabulary.ts';
import { parseQuery } from './parse-query.ts';
import type { Query } from './query.ts';
import type { SearchPlan } from './search-plan.ts';

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
  const asked = query.filter((text) => text.trim() !== '');
  const read = asked.map((text) => ({ text, query: parseQuery(text, { suggesting: purpose === 'suggestions' }) }));
  // Alternatives that ask for the same are one.
  const different = [...new Map(read.toReversed().map((one) => [meaningOf(one.query), one])).values()].toReversed();
  const texts = different.map(({ text }) => text);
  const queries = different.map((one) => one.query);
  if (texts.length === 0) return { texts, plans: [] };
  const words = queries.flatMap(({ concepts }) => concepts.flatMap(({ anyOf }) => anyOf.flatMap(({ tokens }) => tokens)));
  const vocabulary = await vocabularyOf(pool, index, words);
  const plans = queries.map((each) => planOf(index, each, vocabulary)).filter(({ concepts, ids }) => concepts.length + ids.length > 0);
  return { texts, plans };
}

/** The same for texts that ask for the same, however they are written. */
function meaningOf(query: Query): string {
  return JSON.stringify(query, (key, value) => (key === 'surface' || key === 'place' ? undefined : value));
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

/** As long as somebody waits at most; no statement of a search may take half of it. */
const searchMaxMs = 5_000;

/** Does the work of a search, which asks its deadline between one piece and the next. What takes too long ends as `unavailable`. */
export async function inSearchTime<T>(
  work: (deadline: Deadline) => Promise<T>,
  { deadline: given, work: worked }: Pick<SearchDependencies, 'deadline' | 'work'>,
): Promise<T> {
  const deadline = given ?? new Deadline(searchMaxMs, undefined, worked);
  try {
    return await work(deadline);
  } catch (error) {
    if (error instanceof Error && /timeout/i.test(error.message)) {
      throw new Problem('unavailable', 'The search took too long. Try again in a moment.', { retryAfterSeconds: 2, cause: error });
    }
    throw error;
  }
}
