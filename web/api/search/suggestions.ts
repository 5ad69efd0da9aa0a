import { queryOptions } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import type { SearchResponse } from '#contract/video-service/answers.ts';
import { call } from '../call.ts';
import { accountToken, withToken } from '../tokens.ts';

const perKind = String(limits.suggestionsPerKind);

/** What the search box offers while somebody types; the last word counts as a beginning. */
export function suggestionsFor(text: string) {
  return queryOptions({
    queryKey: ['suggestions', text],
    queryFn: ({ signal }): Promise<SearchResponse> =>
      withToken(accountToken, (accessToken) =>
        call(
          'partnerSearch',
          { query: text, privacy: 'Private', state: 'Processed', language: 'English', pageSize: '6', skip: '0', perKind },
          { accessToken, signal },
        ),
      ),
    enabled: text.trim() !== '',
    staleTime: 60_000,
  });
}

/** Words and names of this archive to try a search with. */
export function searchExamples() {
  return queryOptions({
    queryKey: ['search-examples'],
    queryFn: ({ signal }) => call('searchExamples', {}, { signal }),
    staleTime: 300_000,
  });
}
