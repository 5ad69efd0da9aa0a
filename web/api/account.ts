import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** One's own account, as the server knows it. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call('account', {}, { signal }),
  staleTime: 0,
});
