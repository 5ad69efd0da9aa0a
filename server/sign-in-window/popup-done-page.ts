import { signInFailureMessage } from '#contract/sign-in.ts';
import { escapeHtml } from './html.ts';
import { windowPage } from './window-page.ts';

/** The last page of the sign-in window: tells the outcome, closes, and says so where closing is not allowed. */
export function popupDonePage(error: string): string {
  const script = '/sign-in/files/popup-done.js';
  if (!error) {
    const body = `<h1 data-outcome="signed-in">You are signed in</h1>\n<p>You can close this window. <a href="/">To the archive</a></p>`;
    return windowPage({ title: 'Signed in', body, script });
  }
  const message = escapeHtml(signInFailureMessage(error));
  const body = `<h1 data-outcome="failed" data-message="${message}">You are not signed in</h1>\n<p>${message}</p>\n<p><a href="/login">Try again</a></p>`;
  return windowPage({ title: 'Not signed in', body, script });
}
