import { queryOptions } from '@tanstack/react-query';
import { accountPath } from '#web/page-settings.ts';
import { call } from '../call.ts';
import { isOffline } from '../call-failed.ts';
import { accountToken, withToken } from '../tokens.ts';
import { askAgainMs, cachedForMs } from './search-pages.ts';
import type { SearchRequest } from './search-request.ts';

/** What a search comes to, counted by the service over the whole answer; the order of the list does not change it. */
export function searchFacets({ sort: _sort, ...request }: SearchRequest) {
  return queryOptions({
    queryKey: ['search-facets', request.query, request],
    queryFn: ({ signal }) =>
      withToken(accountToken, (accessToken) => call('searchFacets', { ...accountPath, ...request }, { accessToken, signal })),
    gcTime: cachedForMs,
    retry: (_count, reason) => isOffline(reason),
    retryDelay: askAgainMs,
  });
}
