import { pageOf, pageRoutes } from '#contract/page-routes.ts';
import { safeReturnUrl } from '#contract/return-url.ts';

/** Where to go once the account is active: back to the page that was asked for, never to this one again. Said twice, it says nothing. */
export function pageAfterwards(returnUrls: readonly string[]): string {
  const next = safeReturnUrl(returnUrls.length === 1 ? returnUrls[0] : null);
  const [path = ''] = next.split(/[?#]/, 1);
  return pageOf(path) === 'activationPending' ? pageRoutes.home : next;
}
