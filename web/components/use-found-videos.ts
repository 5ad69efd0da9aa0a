import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SearchedFor } from '#contract/video-service.ts';
import { searchPages } from '#web/api/search-pages.ts';
import type { LoadMoreState } from './load-more.tsx';
import { type FoundVideo, toFoundVideo } from './results/found-video.ts';

export interface FoundVideos {
  videos: FoundVideo[];
  /** Whether the first answer is still to come. */
  isFirstLoading: boolean;
  hasAnswer: boolean;
  pageCount: number;
  /** How many videos the last page brought, for the announcement. */
  newest: number;
  /** What was searched for in place of words that occur nowhere. */
  searchedFor: SearchedFor | undefined;
  more: LoadMoreState;
  load: () => void;
}

/** The videos of a search so far, and how to go on. */
export function useFoundVideos(query: string, firstSkip = 0): FoundVideos {
  const answer = useInfiniteQuery(searchPages(query, firstSkip));
  const items = answer.data?.items;
  const videos = useMemo(() => (items ?? []).map(toFoundVideo), [items]);
  const isFetching = answer.isFetchingNextPage || (answer.isFetching && !answer.data);
  return {
    videos,
    isFirstLoading: answer.isFetching && !answer.data,
    hasAnswer: answer.data !== undefined,
    pageCount: answer.data?.pageCount ?? 0,
    newest: answer.data?.newest ?? 0,
    searchedFor: answer.data?.searchedFor,
    more: isFetching ? 'loading' : answer.isError ? 'failed' : !answer.data || answer.hasNextPage ? 'more' : 'end',
    load: () => {
      if (answer.isFetching) return;
      void (answer.data ? answer.fetchNextPage() : answer.refetch());
    },
  };
}
