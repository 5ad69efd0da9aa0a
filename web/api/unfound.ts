import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import type { UnfoundPage } from '#contract/unfound.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';

const unfoundKey = ['unfound'] as const;

/** Queries that failed visitors, worst first. */
export const unfoundPages = infiniteQueryOptions({
  queryKey: unfoundKey,
  queryFn: ({ pageParam, signal }) => call('listUnfound', { skip: String(pageParam) }, { signal }),
  initialPageParam: 0,
  // What was taken off meanwhile moved the rest up.
  getNextPageParam: ({ total }, pages) => {
    const listed = pages.reduce((sum, { queries }) => sum + queries.length, 0);
    return listed < total ? listed : undefined;
  },
  staleTime: 0,
  refetchOnWindowFocus: true,
});

/** Takes a query off the list, in the archive and then on the page. Throws when the archive did not do it. */
export async function dismissUnfound(text: string): Promise<void> {
  await call('dismissUnfound', { text });
  // An answer that is on its way may be of before.
  await queryClient.cancelQueries({ queryKey: unfoundKey });
  queryClient.setQueryData(unfoundPages.queryKey, (data) => data && withoutQuery(data, text));
}

function withoutQuery(data: InfiniteData<UnfoundPage>, text: string): InfiniteData<UnfoundPage> {
  const pages = data.pages.map(({ queries, total }) => ({ queries: queries.filter((query) => query.text !== text), total: total - 1 }));
  return { ...data, pages };
}
