import type { SearchFacets } from '#contract/search-facets.ts';
import { planSearch } from '../query/plan-search.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { countFacets } from './count-facets.ts';
import { surveyOf } from './kept-surveys.ts';

/**
 * Counts what a search comes to, group by group; without a query, what the whole archive comes to. Skip and page size of the
 * request change nothing. Throws `query_too_long` and `SearchTimeout`.
 */
export async function searchFacets(search: SearchRun, request: SearchRequest): Promise<SearchFacets> {
  const { texts, plans } = await planSearch(search, request);
  if (texts.length === 0) return await search.listed.count(request);
  return countFacets(await surveyOf(search, request, plans), request.narrowing ?? {});
}
