import { queryOptions } from '@tanstack/react-query';
import { call } from '../call.ts';

const lookEveryMs = 2_000;

/** What is on its way in, looked at every two seconds: workers on any machine write down how far they are. */
export const incoming = queryOptions({
  queryKey: ['incoming'],
  queryFn: ({ signal }) => call('incoming', {}, { signal }),
  staleTime: 0,
  refetchInterval: lookEveryMs,
});
