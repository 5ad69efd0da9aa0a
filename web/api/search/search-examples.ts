import { queryOptions } from '@tanstack/react-query';
import { call } from '../call.ts';

/** Words and names of this archive to try a search with. */
export function searchExamples() {
  return queryOptions({
    queryKey: ['search-examples'],
    queryFn: ({ signal }) => call('searchExamples', {}, { signal }),
    staleTime: 300_000,
  });
}
