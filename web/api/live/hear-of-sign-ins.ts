import { type SignInOutcome, signInChannel } from '#contract/sign-in.ts';
import { startAnew } from '../session.ts';

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
