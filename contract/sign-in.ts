/** What the sign-in window tells the page that opened it; its opener may be lost on the way through the provider. */
export type SignInOutcome = { readonly outcome: 'signed-in' } | { readonly outcome: 'failed'; readonly message: string };

/** Name of the BroadcastChannel that carries a SignInOutcome. */
export const signInChannel = 'rushes-sign-in';

/** Address for a window of its own: it ends on a page that tells the outcome and closes itself. */
export function popupSignInAddress(provider: string): string {
  return `/sign-in/popup-start?${new URLSearchParams({ provider })}`;
}

/** Address for the whole page, where windows are blocked: it ends on `returnUrl`, or on the login page with `error`. */
export function redirectSignInAddress(provider: string, returnUrl: string): string {
  return `/sign-in/redirect-start?${new URLSearchParams({ provider, returnUrl })}`;
}
