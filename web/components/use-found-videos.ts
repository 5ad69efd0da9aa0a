import { type UseInfiniteQueryResult, useInfiniteQuery, usePrefetchInfiniteQuery } from '@tanstack/react-query';
import { use, useMemo } from 'react';
import type { NearestQuery, SearchedFor } from '#contract/video-service/answers.ts';
import { isIndexNotReady, isOffline } from '#web/api/call-failed.ts';
import { queryClient } from '#web/api/query-client.ts';
import { isTooMuchNow, searchPages } from '#web/api/search/search-pages.ts';
import type { SearchRequest } from '#web/api/search/search-request.ts';
import { ArrivalContext } from './arrival-context.ts';
import { readLeftPages, useHeldPlace, useNotedPages } from './left-list.ts';
import { type Result, toResult } from './results/result.ts';
import { type LoadMoreState, noConnection } from './table/load-more.tsx';

export interface FoundVideos {
  videos: Result[];
  /** Whether the first answer is still to come. */
  isFirstLoading: boolean;
  /** Whether this is still the list of another order or filter, until the one asked for comes. */
  isRearranging: boolean;
  hasAnswer: boolean;
  pageCount: number;
  /** How many videos the last page brought, for the announcement. */
  newest: number;
  /** What was searched for in place of words that occur nowhere. */
  searchedFor: SearchedFor | undefined;
  /** Other spellings that would find something. */
  nearest: readonly NearestQuery[];
  /** How many of the best videos the order or a filter was applied to, when there are more of them. */
  arrangedAmong: number | undefined;
  /** Why there is no answer yet, while the archive's index is being built, it was asked for too much, or there is no connection. */
  waits: 'offline' | 'too-much' | { index: string } | undefined;
  more: LoadMoreState;
  /** The same of the next page, in a sentence. */
  moreWaits: string | undefined;
  load: () => void;
}

/** How long a list that is opened anew is as good as a new one. */
const freshForMs = 60_000;

/** The videos of a search so far, and how to go on. Whoever comes back, or loads the page anew, finds them as they were left. */
export function useFoundVideos(request: SearchRequest, firstSkip = 0): FoundVideos {
  const staleTime = use(ArrivalContext) === 'POP' ? Number.POSITIVE_INFINITY : freshForMs;
  const list = searchPages(request, firstSkip);
  const pages = readLeftPages();
  usePrefetchInfiniteQuery({ ...list, pages });
  const answer = useInfiniteQuery({ ...list, staleTime });
  const pageCount = answer.data?.pageCount ?? 0;
  const isFirstLoading = answer.isFetching && !answer.data;
  useNotedPages(pageCount);
  useHeldPlace(isFirstLoading && pages > 1);
  const items = answer.data?.items;
  const reading = answer.data?.reading ?? null;
  const videos = useMemo(() => (items ?? []).map((item) => toResult(item, reading)), [items, reading]);
  const isRearranging = answer.isPlaceholderData;
  return {
    videos,
    isFirstLoading,
    isRearranging,
    hasAnswer: answer.data !== undefined && !isRearranging,
    pageCount,
    newest: answer.data?.newest ?? 0,
    searchedFor: answer.data?.searchedFor,
    nearest: answer.data?.nearest ?? [],
    arrangedAmong: answer.data?.arrangedAmong,
    waits: answer.isFetching ? waitsFor(answer.failureReason) : undefined,
    more: restOf(answer),
    moreWaits: answer.isFetchingNextPage || isHeldUp(answer) ? sentenceOf(waitsFor(answer.failureReason)) : undefined,
    load: () => {
      if (answer.isFetching) return;
      if (answer.data) void answer.fetchNextPage();
      // As many pages as it was left with, where none has come. What fails is shown by the list.
      else queryClient.infiniteQuery({ ...list, pages: readLeftPages(), staleTime: 0 }).catch(() => undefined);
    },
  };
}

/** How the list goes on after what it holds. */
function restOf(answer: UseInfiniteQueryResult): LoadMoreState {
  const isLoading = answer.isFetchingNextPage || answer.isPlaceholderData || (answer.isFetching && !answer.data);
  if (isLoading || (isHeldUp(answer) && answer.hasNextPage)) return 'loading';
  if (answer.isError) return 'failed';
  return !answer.data || answer.hasNextPage ? 'more' : 'end';
}

/** Whether the list on show is asked for anew behind it and that takes its time: it goes on only after that. */
function isHeldUp({ isRefetching, isPlaceholderData, failureReason }: UseInfiniteQueryResult): boolean {
  return isRefetching && !isPlaceholderData && failureReason !== null;
}

function waitsFor(reason: unknown): FoundVideos['waits'] {
  if (isOffline(reason)) return 'offline';
  if (isTooMuchNow(reason)) return 'too-much';
  return isIndexNotReady(reason) ? { index: reason.message } : undefined;
}

/** Why an answer waits, in a sentence. */
export function reasonOf(waits: NonNullable<FoundVideos['waits']>): string {
  if (waits === 'offline') return noConnection;
  return waits === 'too-much' ? 'Too many requests at once.' : waits.index;
}

function sentenceOf(waits: FoundVideos['waits']): string | undefined {
  return waits === 'offline' ? noConnection : waits && `${reasonOf(waits)} Trying again automatically.`;
}
