import type { Vocabulary } from '../../words/vocabulary.ts';
import type { SearchParts } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { expandQuery } from './expand-query.ts';
import { parseQuery } from './parse-query.ts';
import type { Query } from './query.ts';
import type { SearchPlan } from './search-plan.ts';

/*
 * This room reads texts and makes plans of them: parse-query.ts reads, expand-query.ts finds what may stand for each word in this archive.
 */

/** What a request asks for. Without texts it asks for every video; texts without any word have no plan, and find nothing. */
export interface PlannedSearch {
  readonly texts: readonly string[];
  readonly plans: readonly SearchPlan[];
}

/** Reads the texts of a request with the words of the archive. Throws `query_too_long`. */
export async function planSearch(
  { vocabulary: words, plans: cachedPlans }: Pick<SearchParts, 'vocabulary' | 'plans'>,
  { query, purpose }: Pick<SearchRequest, 'query' | 'purpose'>,
): Promise<PlannedSearch> {
  const asked = query.filter((text) => text.trim() !== '');
  if (asked.length === 0) return { texts: [], plans: [] };
  const { languages } = await words.for();
  const read = asked.map((text) => ({ text, query: parseQuery(text, { languages, suggesting: purpose === 'suggestions' }) }));
  // Alternatives that ask for the same are one.
  const different =
    read.length < 2 ? read : [...new Map(read.toReversed().map((one) => [meaningOf(one.query), one])).values()].toReversed();
  const texts = different.map(({ text }) => text);
  const queries = different.map((one) => one.query);
  const asWords = queries.flatMap(({ concepts }) => concepts.flatMap(({ anyOf }) => anyOf.flatMap(({ tokens }) => tokens)));
  const vocabulary = await words.for(asWords);
  const plans = queries
    .map((each) => planOf(cachedPlans, each, vocabulary))
    .filter(({ concepts, ids }) => concepts.length + ids.length > 0);
  return { texts, plans };
}

/** The same for texts that ask for the same, however they are written. */
function meaningOf(query: Query): string {
  return JSON.stringify(query, (key, value) => (key === 'surface' || key === 'offsets' ? undefined : value));
}

/** To look for what may stand for a word takes as long as to rank what it finds: whoever asks the same has the same plan. */
function planOf(plans: SearchParts['plans'], query: Query, vocabulary: Vocabulary): SearchPlan {
  const key = JSON.stringify(query);
  const known = plans.get(key);
  if (known?.batch === vocabulary.batch) return known;
  const plan = expandQuery(query, vocabulary);
  plans.set(key, plan);
  return plan;
}
