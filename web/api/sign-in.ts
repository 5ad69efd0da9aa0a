import { popupSignInAddress, redirectSignInAddress, type SignInOutcome, signInChannel } from '#contract/sign-in.ts';
import { inStorage } from '#web/ui/in-storage.ts';
import { call } from './call.ts';
import { takeSignIn } from './live/keep-session-live.ts';

/** Opens a provider's sign-in in a window of its own; where the browser refuses windows, in this page. */
export function signInWith(provider: string, returnUrl: string): void {
  const popup = window.open(popupSignInAddress(provider), signInChannel, 'popup,width=480,height=680');
  if (!popup) window.location.assign(redirectSignInAddress(provider, returnUrl));
}

/** Has a sign-in link sent, which this browser waits for from then on. The answer is the same whether anybody has this address or not. */
export async function sendSignInLink(person: { name: string; email: string; returnUrl: string }): Promise<void> {
  const { name, email, returnUrl } = person;
  await call('sendSignInLink', { displayName: name, email, returnUrl });
  inStorage('localStorage', (storage) => storage.setItem(waitingKey, email));
}

/** Signs in with the secret of a one-time link and the address that it was sent to, and tells the archive's other pages. */
export async function signInByLink(token: string, email: string): Promise<void> {
  await call('signInLink', { token, email });
  forgetWaitingAddress();
  const channel = new BroadcastChannel(signInChannel);
  channel.postMessage({ outcome: 'signed-in' } satisfies SignInOutcome);
  channel.close();
  await takeSignIn();
}

const waitingKey = 'rushes-waiting-address';

/** The address that this browser waits for a link to; empty when there is none, and where the browser keeps nothing: then it is asked for, as on another device. */
export function readWaitingAddress(): string {
  return inStorage('localStorage', (storage) => storage.getItem(waitingKey)) ?? '';
}

export function forgetWaitingAddress(): void {
  inStorage('localStorage', (storage) => storage.removeItem(waitingKey));
}
