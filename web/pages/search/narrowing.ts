import type { SearchFacets } from '#contract/search-facets.ts';
import type { SearchRequest } from '#web/api/search/search-request.ts';
import type { Filters } from './filters.ts';

/** The filters of the address, how to change them, and what they come to. */
export interface Narrowing {
  request: SearchRequest;
  filters: Filters;
  onChange: (filters: Filters) => void;
  counts: Counts;
}

/** Counts over the whole answer; `areOfBefore` while they still are those of other filters. Where they cannot be had, the results do without. */
export type Counts = { state: 'loading' } | { state: 'none' } | { state: 'counted'; facets: SearchFacets; areOfBefore: boolean };
