import { routes } from './routes.ts';
import type { SignInWay } from './users.ts';

/** The ways of signing in, as people call them. */
export const signInWayNames: Readonly<Record<SignInWay, string>> = {
  // Its own name is the operator's.
  oidc: 'Single sign-on',
  google: 'Google',
  microsoft: 'Microsoft',
  facebook: 'Facebook',
  twitter: 'Twitter',
  email: 'E-mail link',
};

/** What the sign-in window tells the page that opened it; its opener may be lost on the way through the provider. */
export type SignInOutcome = { readonly outcome: 'signed-in' } | { readonly outcome: 'failed'; readonly message: string };

/** Name of the BroadcastChannel that carries a SignInOutcome. */
export const signInChannel = 'rushes-sign-in';

/** Address for a window of its own: it ends on a page that tells the outcome and closes itself. */
export function popupSignInAddress(provider: string): string {
  return `${routes.popupSignIn.path}?${new URLSearchParams({ provider })}`;
}

/** Address for the whole page, where windows are blocked: it ends on `returnUrl`, or on the login page with `error`. */
export function redirectSignInAddress(provider: string, returnUrl: string): string {
  return `${routes.redirectSignIn.path}?${new URLSearchParams({ provider, returnUrl })}`;
}

const notNow = 'The provider does not answer at the moment. Try again, or sign in another way.';
const failures: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was cancelled.',
  busy: 'The archive itself is busy for a moment. Try again.',
  temporarily_unavailable: notNow,
  server_error: notNow,
  invalid_code: 'The provider did not confirm the sign-in. Try again.',
  unable_to_get_user_info: 'The provider did not say for certain who you are. Try again, or sign in another way.',
};
const lostThread = 'This sign-in was begun in another window, or too long ago. Try again.';

/** What to tell a person about a failed sign-in, by the `error` of its last address. */
export function signInFailureMessage(error: string): string {
  if (error.startsWith('state_') || error.startsWith('invalid_callback')) return lostThread;
  return (Object.hasOwn(failures, error) ? failures[error] : undefined) ?? 'The provider could not sign you in. Try again.';
}
