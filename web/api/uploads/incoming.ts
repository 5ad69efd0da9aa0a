import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../call.ts';

const lookEveryMs = 2_000;

/** How long an answer took, the last time. */
let tookMs = 0;

/** By what an answer of any size is asked for anew. */
export const incoming = { queryKey: ['incoming'] } as const;

/** What is on its way in, with so many films, looked at every two seconds: workers on any machine write down how far they are. */
export function incomingWith(films: number) {
  return queryOptions({
    queryKey: [...incoming.queryKey, films],
    queryFn: async ({ signal }) => {
      const from = performance.now();
      const answer = await call('incoming', { films: String(films) }, { signal });
      tookMs = performance.now() - from;
      return answer;
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    // A large archive, and many films at once, are not asked all the time.
    refetchInterval: () => Math.max(lookEveryMs, 10 * tookMs),
  });
}
