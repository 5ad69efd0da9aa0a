import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SignedInUser } from '#contract/session.ts';
import { call } from './call.ts';
import { CallFailed, isOffline } from './call-failed.ts';
import { queryClient } from './query-client.ts';
import { forgetTokens } from './tokens.ts';

const askAgainMaxMs = 5_000;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('session', {}, { signal }),
  // The page hears of changes by itself; somebody who comes back to the window sees them even when it could not.
  staleTime: 0,
  refetchOnMount: false,
  refetchOnWindowFocus: true,
  // An archive that restarts has not said that nobody is signed in.
  retry: (_count, reason) => reason instanceof CallFailed && (isOffline(reason) || reason.status >= 500),
  retryDelay: (count) => Math.min(1_000 * 2 ** count, askAgainMaxMs),
});

/** `trouble` is why there is no answer yet; it is asked for again. */
export type SessionState = { state: 'asking'; trouble: Error | null } | { state: 'guest' } | { state: 'signed-in'; user: SignedInUser };

/** Who is looking at the page. A request that was refused counts as a guest: the server decides anyway. */
export function useSession(): SessionState {
  const { data, isPending, failureReason } = useQuery(sessionQuery);
  if (data?.user) return { state: 'signed-in', user: data.user };
  return isPending ? { state: 'asking', trouble: failureReason } : { state: 'guest' };
}

/** To be called when the caller has become somebody else: what the last caller was given is dropped. Who it is now is asked until the archive says so. */
export async function startAnew(): Promise<void> {
  await startAnewAs(queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }));
}

async function startAnewAs(session: Promise<unknown>): Promise<void> {
  forgetTokens();
  await session;
  // Found frames open for the caller who found them only, so the lists on show are asked for again.
  void queryClient.resetQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] });
}

/** Ends the session; `leave` takes the page away from what only the signed-in may see before it notices. */
export async function signOut(leave: () => void | Promise<void>): Promise<void> {
  await leaveSession(() => call('signOut', {}, { isQuick: true }), leave);
}

/** The same for every other call that ends one's own session. */
export async function leaveSession(end: () => Promise<unknown>, leave: () => void | Promise<void>): Promise<void> {
  leaving.isUnderWay = true;
  try {
    await end();
    await leave();
    // It has ended, whether or not the archive says so once more.
    const toGuest = () => queryClient.setQueryData(sessionQuery.queryKey, { user: null });
    await startAnewAs(queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false }).catch(toGuest));
  } finally {
    leaving.isUnderWay = false;
  }
}

/** Whether this page is ending its own session: then it needs no news of it. */
export const leaving = { isUnderWay: false };
