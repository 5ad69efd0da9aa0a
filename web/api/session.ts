import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SignedInUser } from '#contract/session.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';
import { forgetTokens } from './tokens.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('session', {}, { signal }),
  // Roles change behind the page's back: somebody who comes back to the window sees them. No page asks again by itself.
  staleTime: 0,
  refetchOnMount: false,
  refetchOnWindowFocus: true,
});

export type SessionState = { state: 'asking' } | { state: 'guest' } | { state: 'signed-in'; user: SignedInUser };

/** Who is looking at the page. A failed request counts as a guest: the server decides anyway. */
export function useSession(): SessionState {
  const { data, isPending } = useQuery(sessionQuery);
  if (data?.user) return { state: 'signed-in', user: data.user };
  return isPending ? { state: 'asking' } : { state: 'guest' };
}

/** To be called when the caller has become somebody else: tokens and answers of before are theirs no longer. */
export async function startAnew(): Promise<void> {
  forgetTokens();
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  // Found frames open for the caller who found them only, so the lists on show are asked for again.
  void queryClient.resetQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] });
}

/** Ends the session; `leave` takes the page away from what only the signed-in may see before it notices. */
export async function signOut(leave: () => void | Promise<void>): Promise<void> {
  await call('signOut', {});
  await leave();
  await startAnew();
}
