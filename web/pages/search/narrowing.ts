import type { Filters } from './filters.ts';

/** The filters of the address and how to change them. */
export interface Narrowing {
  filters: Filters;
  onChange: (filters: Filters) => void;
}
