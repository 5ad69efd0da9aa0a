import { limits } from '#contract/limits.ts';
import type { MatchKind } from '#contract/match-kinds.ts';
import type { LengthFilter, SearchOrder } from '#contract/narrowing.ts';

/** A search with its order and what narrows it, in the service's own words; without them it is everything, best first. */
export interface SearchRequest {
  readonly query: string;
  readonly sort?: SearchOrder;
  readonly matchKind?: MatchKind[];
  readonly length?: LengthFilter;
  readonly playable?: 'true';
  readonly person?: string[];
  readonly label?: string[];
  readonly brand?: string[];
}

/** What every search of this site asks alike. */
export const fixedSearch = {
  privacy: 'Private',
  state: 'Processed',
  language: 'English',
  searchInPublicAccount: 'false',
  pageSize: String(limits.searchPageSize),
};
