/*
 * The session as it changes: followed here, whatever page is on show; what the server says of it is taken in by take-session-news.
 */
import { QueryObserver } from '@tanstack/react-query';
import { type SignInOutcome, signInChannel } from '#contract/sign-in.ts';
import { dropToast } from '#web/ui/toast.tsx';
import { whenConnected } from '#web/ui/when-connected.ts';
import { queryClient } from '../query-client.ts';
import { sessionQuery, startAnew } from '../session.ts';
import { forgetLastVisitor, noteVisitor } from '../visitor-change.ts';

/**
 * Keeps the session as the server knows it, from moment to moment and whatever page is on show: for somebody signed in by its news,
 * for a guest by the tab that signs in. Once in the whole site.
 */
export function keepSessionLive(): void {
  const session = new QueryObserver(queryClient, sessionQuery);
  let heardFor: string | null | undefined;
  let person: string | undefined;
  let stop = () => {};
  const follow = ({ data, isPending }: ReturnType<typeof session.getCurrentResult>) => {
    const uid = data?.user ? data.user.uid : isPending ? undefined : null;
    if (uid === heardFor) return;
    heardFor = uid;
    if (uid !== undefined) noteVisitor(uid);
    // Whoever signs in again finds what was begun; nobody else does.
    if (uid && person && uid !== person) {
      forgetLastVisitor();
      dropToast();
    }
    person = uid ?? person;
    stop();
    stop = uid === undefined ? () => {} : uid === null ? hearOfSignIn() : hearNews();
  };
  session.subscribe(follow);
  follow(session.getCurrentResult());
}

function hearOfSignIn(): () => void {
  return listenForSignIn(({ outcome }) => {
    if (outcome === 'signed-in') void takeSignIn();
  });
}

function hearNews(): () => void {
  const stopping = new AbortController();
  // Loaded by whoever is signed in only.
  whenConnected(() => import('./take-session-news.ts')).then(
    ({ takeSessionNews }) => stopping.signal.aborted || takeSessionNews(stopping.signal),
    (reason: unknown) => console.error('The page does not hear of changes of the session.', reason),
  );
  return () => stopping.abort();
}

/** Listens until the returned function is called: every page of the archive hears how signing in went. */
export function listenForSignIn(heard: (outcome: SignInOutcome) => void): () => void {
  const channel = new BroadcastChannel(signInChannel);
  channel.onmessage = ({ data }) => {
    const outcome = readOutcome(data);
    if (outcome) heard(outcome);
  };
  return () => channel.close();
}

/** To be called when this browser has signed in: the page becomes that person's, even when the answer to who it is gets lost. */
export async function takeSignIn(): Promise<void> {
  await startAnew().catch((reason: unknown) => console.error('The new session was not read.', reason));
}

function readOutcome(data: unknown): SignInOutcome | null {
  if (typeof data !== 'object' || data === null || !('outcome' in data)) return null;
  if (data.outcome === 'signed-in') return { outcome: 'signed-in' };
  return { outcome: 'failed', message: 'message' in data && typeof data.message === 'string' ? data.message : '' };
}
