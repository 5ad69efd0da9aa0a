import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { can } from '#contract/roles.ts';
import type { Session, SignedInUser } from '#contract/session.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';
import type { SessionNews } from './session-events.ts';
import { forgetTokens, forgetVideoTokens, renewTokens } from './tokens.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('session', {}, { signal }),
  // The page hears of changes by itself; somebody who comes back to the window sees them even when it could not.
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

/** Keeps the session as the server knows it, from moment to moment, while somebody is signed in. Once in the whole site. */
export function useLiveSession(): void {
  const session = useSession();
  const uid = session.state === 'signed-in' ? session.user.uid : null;
  // The stream of events lives as long as somebody is signed in, whatever page is on show.
  useEffect(() => {
    if (uid === null) return;
    const stopping = new AbortController();
    import('./session-events.ts').then(
      ({ followSession }) => stopping.signal.aborted || followSession(stopping.signal, hearNews),
      (reason: unknown) => console.error('The page does not hear of changes of the session.', reason),
    );
    return () => stopping.abort();
  }, [uid]);
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
  await leaveSession(() => call('signOut', {}), leave);
}

/** The same for every other call that ends one's own session. */
export async function leaveSession(end: () => Promise<unknown>, leave: () => void | Promise<void>): Promise<void> {
  isLeaving = true;
  try {
    await end();
    await leave();
    await startAnew();
  } finally {
    isLeaving = false;
  }
}

let isLeaving = false;

function hearNews(heard: SessionNews): void {
  if (heard.news === 'users') void queryClient.invalidateQueries({ queryKey: ['users'] });
  // Whoever leaves knows that the session ends, and is on the way to an open page.
  else if (!isLeaving) takeSession(heard.session).catch((reason: unknown) => console.error('The session was not read.', reason));
}

async function takeSession(session: Session): Promise<void> {
  const before = knownUser();
  // An answer on its way may be of before.
  await queryClient.cancelQueries(sessionQuery);
  if (session.user && session.user.uid === before?.uid) return takeRoles(before, session.user);
  // What ended may be the session before this one, or it was another tab's stream that was refused: the server is asked.
  const { user } = await call('session', {});
  if (user && user.uid === before?.uid) takeRoles(before, user);
  else if (!isLeaving) await startAnew();
}

/** The same person with other roles: what the page shows stays, the tokens follow. */
function takeRoles(before: SignedInUser, user: SignedInUser): void {
  queryClient.setQueryData(sessionQuery.queryKey, { user });
  if (JSON.stringify(before.roles) === JSON.stringify(user.roles)) return;
  if (!can(user.roles, 'view')) forgetVideoTokens();
  renewTokens();
}

function knownUser(): SignedInUser | null {
  return queryClient.getQueryData(sessionQuery.queryKey)?.user ?? null;
}
