import { pageAt, pageRoutes } from '#contract/page-routes.ts';
import { readReturnUrl } from '#contract/return-url.ts';

/** Where to go once the account is active: back to the page that was asked for, never to this one again. */
export function pageAfterwards(parameters: URLSearchParams): string {
  const next = readReturnUrl(parameters);
  return pageAt(next) === 'activationPending' ? pageRoutes.home : next;
}
