import type { SearchVideosInput } from '#contract/video-service-input.ts';

/** What changes nothing about which videos are found, or says the same in every search. */
const without = new Set(['location', 'account', 'query', 'state', 'privacy', 'language', 'searchInPublicAccount', 'pageSize', 'skip']);

/** The query of somebody who asks for the first page by a query alone; null for every other search. */
export function plainQuery(input: Omit<SearchVideosInput, 'location' | 'account'>): string | null {
  const [query, ...others] = (input.query ?? []).filter((text) => text.trim() !== '');
  const isNarrowed = Object.entries(input).some(([name, value]) => value !== undefined && !without.has(name));
  return query === undefined || others.length > 0 || isNarrowed || (input.skip ?? 0) > 0 ? null : query;
}
