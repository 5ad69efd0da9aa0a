import type { FastifyRequest } from 'fastify';
import type { SearchVideosInput } from '#contract/video-service/input.ts';

/** A parameter of the path as text; empty when there is none. */
export function readPathText({ params }: FastifyRequest, name: string): string {
  return textIn(params, name);
}

/** A parameter of the query as text; empty when there is none, or several. */
export function readQueryText({ query }: FastifyRequest, name: string): string {
  return textIn(query, name);
}

/** Every text of a parameter of the query that may be given several times. */
export function queryTexts({ query }: FastifyRequest, name: string): string[] {
  const values = Object.entries(query ?? {}).flatMap(([key, value]: [string, unknown]) => (key === name ? [value].flat() : []));
  return values.filter((value) => typeof value === 'string');
}

function textIn(values: unknown, name: string): string {
  const value = values !== null && typeof values === 'object' ? Object.entries(values).find(([key]) => key === name)?.[1] : undefined;
  return typeof value === 'string' ? value : '';
}

/** What changes nothing about which videos are found, or says the same in every search. */
const without = new Set(['location', 'account', 'query', 'state', 'privacy', 'language', 'searchInPublicAccount', 'pageSize', 'skip']);

/** The query of somebody who asks for the first page by a query alone; null for every other search. */
export function soleQueryOf(input: Omit<SearchVideosInput, 'location' | 'account'>): string | null {
  const [query, ...others] = (input.query ?? []).filter((text) => text.trim() !== '');
  const isNarrowed = Object.entries(input).some(([name, value]) => value !== undefined && !without.has(name));
  return query === undefined || others.length > 0 || isNarrowed || (input.skip ?? 0) > 0 ? null : query;
}
