import { isMatchKind, type MatchKind, matchKinds } from '#contract/match-kinds.ts';
import { type LengthFilter, lengthFilters } from '#contract/narrowing.ts';
import type { SearchRequest } from '#web/api/search/search-request.ts';

/** What narrows the results, by its names in the address; of each what is listed is enough, and an empty list lets everything in. */
export interface Filters {
  readonly kind: readonly MatchKind[];
  /** None or one. */
  readonly length: readonly LengthFilter[];
  /** None or one. */
  readonly playable: readonly 'true'[];
  readonly person: readonly string[];
  readonly label: readonly string[];
  readonly brand: readonly string[];
}

export type FilterName = keyof Filters;

export const noFilters: Filters = { kind: [], length: [], playable: [], person: [], label: [], brand: [] };
const names: readonly FilterName[] = ['kind', 'length', 'playable', 'person', 'label', 'brand'];

export const keyKinds: readonly MatchKind[] = Object.keys(matchKinds)
  .filter(isMatchKind)
  .filter((kind) => matchKinds[kind].inKey);

/** The filters that an address names; what makes no sense filters nothing. */
export function readFilters(params: URLSearchParams): Filters {
  const all = (name: FilterName) => [...new Set(params.getAll(name))].filter((value) => value !== '');
  return {
    kind: all('kind').filter(isMatchKind),
    length: lengthFilters.filter((length) => length === params.get('length')),
    playable: params.get('playable') === 'true' ? ['true'] : [],
    person: all('person'),
    label: all('label'),
    brand: all('brand'),
  };
}

/** The address with these filters instead of its own; whatever else it says stays. */
export function writeFilters(params: URLSearchParams, filters: Filters): URLSearchParams {
  const written = new URLSearchParams(params);
  for (const name of names) {
    written.delete(name);
    for (const value of filters[name]) written.append(name, value);
  }
  return written;
}

/** A search narrowed by these filters, as the service is asked. */
export function narrowedBy({ kind, length, playable, person, label, brand }: Filters): Omit<SearchRequest, 'query' | 'sort'> {
  const some = <T>(values: readonly T[]) => (values.length > 0 ? [...values] : undefined);
  return { matchKind: some(kind), length: length[0], playable: playable[0], person: some(person), label: some(label), brand: some(brand) };
}

/** The groups of which something is on. */
export function activeFiltersIn(filters: Filters): FilterName[] {
  return names.filter((name) => filters[name].length > 0);
}

/** How many filters are on. */
export function countFilters(filters: Filters): number {
  return names.reduce((count, name) => count + filters[name].length, 0);
}

/** A list with this value when it lacked it, without it when it had it. */
export function toggleValue<T>(values: readonly T[], value: T): T[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
}
