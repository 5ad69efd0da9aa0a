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

/** Signs in with the secret of a one-time link and the address that it was sent to. */
export async function signInByLink(token: string, email: string): Promise<void> {
  await call('signInLink', { token, email });
  await startAnew();
}

function readOutcome(data: unknown): SignInOutcome | null {
  if (typeof data !== 'object' || data === null || !('outcome' in data)) return null;
  if (data.outcome === 'signed-in') return { outcome: 'signed-in' };
  return { outcome: 'failed', message: 'message' in data && typeof data.message === 'string' ? data.message : '' };
}
