import { parseQuery } from '../query/parse-query.ts';
import type { FoundVideo, SearchRequest } from '../search-request.ts';

const parts = 10;

/**
 * Matches as they are told to somebody who is not told their words: in which tenth of the film, each kind once. A place to the second
 * would put the words of a dictionary into their order.
 */
export function inTenths(results: readonly FoundVideo[]): FoundVideo[] {
  return results.map((found) => {
    const lengthMs = found.video.durationInSeconds * 1_000;
    const places = found.matches.map((match) => ({ ...match, startMs: tenthOf(match.startMs, lengthMs) }));
    return { ...found, matches: [...new Map(places.toReversed().map((one) => [`${one.kind} ${one.startMs}`, one])).values()].toReversed() };
  });
}

function tenthOf(startMs: number, lengthMs: number): number {
  if (lengthMs <= 0) return 0;
  const tenth = Math.min(parts - 1, Math.floor((startMs / lengthMs) * parts));
  return Math.floor((tenth * lengthMs) / parts / 1_000) * 1_000;
}

/** Whether a request names the video that it asks: by its id, or by a title that must be there. */
export function namesItsVideo({ query, ids }: Pick<SearchRequest, 'query' | 'ids'>): boolean {
  if (ids !== undefined) return true;
  return query.some((text) => {
    const { ids: named, concepts } = parseQuery(text);
    return named.length > 0 || concepts.some(({ anyOf, must }) => must && anyOf.every(({ field }) => field === 'title'));
  });
}
