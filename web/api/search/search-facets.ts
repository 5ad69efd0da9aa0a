import { queryOptions } from '@tanstack/react-query';
import { accountPath } from '#web/page-settings.ts';
import { call } from '../call.ts';
import { isOffline } from '../call-failed.ts';
import { accountToken, withToken } from '../tokens.ts';
import { askAgainMs, keptForMs } from './search-pages.ts';
import type { SearchQuestion } from './search-question.ts';

/** What a search comes to, counted by the service over the whole answer; the order of the list does not change it. */
export function searchFacets({ sort: _sort, ...question }: SearchQuestion) {
  return queryOptions({
    queryKey: ['search-facets', question.query, question],
    queryFn: ({ signal }) =>
      withToken(accountToken, (accessToken) => call('searchFacets', { ...accountPath, ...question }, { accessToken, signal })),
    gcTime: keptForMs,
    retry: (_count, reason) => isOffline(reason),
    retryDelay: askAgainMs,
  });
}
