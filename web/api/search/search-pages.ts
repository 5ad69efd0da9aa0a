/*
 * What a search asks (search-request) and what is kept of its answer: pages of videos here, counts (search-facets), suggestions, and which
 * results were opened (search-openings).
 */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import type { SearchResponse } from '#contract/video-service/answers.ts';
import { accountPath } from '#web/page-settings.ts';
import { call } from '../call.ts';
import { CallFailed, isIndexNotReady, isOffline } from '../call-failed.ts';
import { accountToken, withToken } from '../tokens.ts';
import { joinPages, nextStartAfter, type PageStart } from './join-pages.ts';
import { awaitOpening } from './search-openings.ts';
import { fixedSearch, type SearchRequest } from './search-request.ts';

/** Longer than a film, so that somebody who comes back from one finds the list as it was. */
export const cachedForMs = 12 * 3_600_000;

/** The pages of one search; another query, order or filter is another list. The empty query lists everything. */
export function searchPages(request: SearchRequest, firstSkip = 0) {
  return infiniteQueryOptions({
    queryKey: ['search', request.query, request, firstSkip],
    queryFn: ({ pageParam, signal }) =>
      onceFor(signal, pageParam, () => withToken(accountToken, (accessToken) => askPage(request, pageParam, { accessToken, signal }))),
    initialPageParam: startAt(firstSkip),
    getNextPageParam: (_last, pages, asked) => nextStartAfter(pages, asked),
    gcTime: cachedForMs,
    // While the archive's index is being built, the connection is away, or too much was asked at once, the page asks again until there is an answer.
    retry: (_count, reason) => isIndexNotReady(reason) || isOffline(reason) || isTooMuchNow(reason),
    retryDelay: (_count, reason) => (isTooMuchNow(reason) ? 1_000 * (reason.retryAfterSeconds ?? 0) : askAgainMs),
    // While another order or filter of the same query loads, the list before stays on show.
    placeholderData: (before: InfiniteData<SearchResponse, PageStart> | undefined, list) =>
      list?.queryKey[1] === request.query ? before : undefined,
    select: ({ pages }) => ({
      items: joinPages(pages),
      pageCount: pages.length,
      newest: pages.at(-1)?.results?.length ?? 0,
      searchedFor: pages[0]?.searchedFor,
      nearest: pages[0]?.nearest ?? [],
      // With words that must be there only the last page knows whether there are more.
      arrangedAmong: pages.at(-1)?.arrangedAmong,
      reading: pages[0]?.reading ?? null,
    }),
  });
}

export const askAgainMs = 3_000;

/** Whether so much was asked that the archive answers again in a moment, and says when. */
export function isTooMuchNow(reason: unknown): reason is CallFailed {
  return (
    reason instanceof CallFailed &&
    reason.status === 429 &&
    (reason.retryAfterSeconds ?? limits.searchAskedAgainWithinSeconds + 1) <= limits.searchAskedAgainWithinSeconds
  );
}

/** Pages that have come of a list of which not all has: a list that is asked for again as a whole goes on at the page that was refused. */
const come = new WeakMap<AbortSignal, Map<string, SearchResponse>>();

async function onceFor(signal: AbortSignal, start: PageStart, ask: () => Promise<SearchResponse>): Promise<SearchResponse> {
  const pages = come.get(signal) ?? new Map<string, SearchResponse>();
  come.set(signal, pages);
  const key = JSON.stringify(start);
  const page = pages.get(key) ?? (await ask());
  pages.set(key, page);
  return page;
}

function startAt(skip: number): PageStart {
  return { skip };
}

async function askPage(request: SearchRequest, start: PageStart, options: { accessToken: string; signal: AbortSignal }) {
  const answer = await call(
    'searchVideos',
    {
      ...accountPath,
      ...request,
      ...fixedSearch,
      skip: String(start.skip),
      createdBefore: start.createdBefore,
      createdBeforeSignature: start.createdBeforeSignature,
    },
    options,
  );
  awaitOpening(request, start, answer);
  return answer;
}
