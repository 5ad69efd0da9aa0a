import type { FastifyRequest } from 'fastify';

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
