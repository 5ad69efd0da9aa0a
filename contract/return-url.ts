import { type PageName, pageAt } from './page-routes.ts';

/** Pages that would lead back into the sign-in they come from. */
const neverReturnTo: ReadonlySet<PageName> = new Set(['login', 'loginEmail', 'loginEmailLink']);

/**
 * Where to go after sign-in: the given address when it is one of our own pages, unchanged to the byte; `/` for everything else.
 * Asking what may pass, not what may not: no spelling of another site is a page of this one.
 */
export function safeReturnUrl(value: unknown): string {
  if (typeof value !== 'string' || !/^\/[!-~]*$/.test(value) || value.includes('\\')) return pageHome;
  const page = pageAt(value);
  if (page === null || neverReturnTo.has(page)) return pageHome;
  const origin = 'https://archive.invalid';
  const resolved = URL.canParse(value, origin) ? new URL(value, origin) : null;
  return resolved?.origin === origin && resolved.pathname + resolved.search + resolved.hash === value ? value : pageHome;
}

/** The safe `returnUrl` of an address's parameters; said twice, it says nothing. */
export function readReturnUrl(parameters: URLSearchParams): string {
  const given = parameters.getAll('returnUrl');
  return safeReturnUrl(given.length === 1 ? given[0] : null);
}

const pageHome = '/';
