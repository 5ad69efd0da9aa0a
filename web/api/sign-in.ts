import { popupSignInAddress, redirectSignInAddress, type SignInOutcome, signInChannel } from '#contract/sign-in.ts';
import { call } from './call.ts';
import { startAnew } from './session.ts';

/** Opens a provider's sign-in in a window of its own; where the browser refuses windows, in this page. */
export function signInWith(provider: string, returnUrl: string): void {
  const popup = window.open(popupSignInAddress(provider), signInChannel, 'popup,width=480,height=680');
  if (!popup) window.location.assign(redirectSignInAddress(provider, returnUrl));
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

/** Has a sign-in link sent. The answer is the same whether anybody has this address or not. */
export async function sendSignInLink(person: { name: string; email: string; returnUrl: string }): Promise<void> {
  const { name, email, returnUrl } = person;
  await call('sendSignInLink', { displayName: name, email, returnUrl });
}

/** Signs in with the secret of a one-time link and the address that it was sent to, and tells the archive's other pages. */
export async function signInByLink(token: string, email: string): Promise<void> {
  await call('signInLink', { token, email });
  const channel = new BroadcastChannel(signInChannel);
  channel.postMessage({ outcome: 'signed-in' } satisfies SignInOutcome);
  channel.close();
  await takeSignIn();
}

function readOutcome(data: unknown): SignInOutcome | null {
  if (typeof data !== 'object' || data === null || !('outcome' in data)) return null;
  if (data.outcome === 'signed-in') return { outcome: 'signed-in' };
  return { outcome: 'failed', message: 'message' in data && typeof data.message === 'string' ? data.message : '' };
}
