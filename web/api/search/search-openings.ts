import { routes } from '#contract/routes.ts';
import type { SearchResponse } from '#contract/video-service/answers.ts';
import type { PageStart } from './join-pages.ts';
import type { SearchRequest } from './search-request.ts';

/** Queries that this page asked for and of whose answer nothing has been opened. */
const unopened = new Set<string>();

/** Remembers a search that the archive counts: the first page of a query without more, and only one that found something. */
export function awaitOpening({ query, ...narrowing }: SearchRequest, { skip, createdBefore }: PageStart, answer: SearchResponse): void {
  const isPlain = skip === 0 && createdBefore === undefined && Object.values(narrowing).every((value) => value === undefined);
  if (isPlain && answer.results.length > 0) unopened.add(query);
}

/** Tells the archive that something of a search's answer is being opened, once per search; it is told although the page is left. */
export function tellOpened(query: string): void {
  if (!unopened.delete(query)) return;
  navigator.sendBeacon(routes.searchOpened.path, new Blob([JSON.stringify({ query })], { type: 'application/json' }));
}
