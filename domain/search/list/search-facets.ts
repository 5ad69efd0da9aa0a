import type { SearchFacets } from '#contract/search-facets.ts';
import { inSearchTime, planSearch } from '../query/plan-search.ts';
import type { SearchRequest } from '../search-request.ts';
import type { SearchDependencies } from '../search-videos.ts';
import { countFacets } from './count-facets.ts';
import { surveyOf } from './kept-surveys.ts';
import { listFacets } from './list-facets.ts';

/**
 * Counts what a search comes to, group by group; without a query, what the whole archive comes to. Skip and page size of the
 * request change nothing. Throws `query_too_long`, and `unavailable` when it takes too long.
 */
export function searchFacets(dependencies: SearchDependencies, request: SearchRequest): Promise<SearchFacets> {
  return inSearchTime(async (deadline) => {
    const { texts, plans } = await planSearch(dependencies, request);
    if (texts.length === 0) return await listFacets(dependencies.pool, request);
    return countFacets(await surveyOf({ ...dependencies, deadline }, request, plans), request.narrowing ?? {});
  }, dependencies);
}
