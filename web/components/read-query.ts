import { limits } from '#contract/limits.ts';

/** The query that an address names. Controls and line ends say no more than a blank: of nothing else, it is no query. */
export function readQuery(params: URLSearchParams): string {
  return (params.get('query') ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\ufffd]/gu, ' ').trim();
}

/** Whether the archive would refuse a query for its length. */
export function isTooLong(query: string): boolean {
  return queryLength(query) > limits.queryMaxCodePoints;
}

/** Characters, as the archive counts them. */
export function queryLength(query: string): number {
  return [...query].length;
}
