import { can, type Permission, type Roles } from './roles.ts';

/** Every page of the site: its path with `:name` parameters. The server answers these with 200 and any other page with 404. */
export const pageRoutes = {
  home: '/',
  login: '/login',
  loginEmail: '/login-email',
  loginEmailLink: '/login-email-link',
  search: '/search',
  activationPending: '/activation-pending',
  video: '/video/:id',
  admin: '/admin',
  adminVideos: '/admin/videos',
  adminActivity: '/admin/activity',
  adminEngines: '/admin/engines',
  adminStatus: '/admin/status',
  desk: '/desk',
  deskExistingWork: '/desk/existing-work',
  deskFilms: '/desk/films',
  deskReplace: '/desk/replace',
  deskUnfound: '/desk/unfound',
  deskBrands: '/desk/brands',
  deskDeleted: '/desk/deleted',
  deskDetails: '/desk/details',
  deskKeptBack: '/desk/kept-back',
  account: '/account',
  privacy: '/privacy',
  cookies: '/cookies',
} as const;

export type PageName = keyof typeof pageRoutes;

/** The page that a path belongs to; null when there is none. A parameter holds letters, digits, `-` and `_` only. */
export function pageOf(path: string): PageName | null {
  for (const [name, pattern] of Object.entries(patterns)) if (pattern.test(path)) return name as PageName;
  return null;
}

/** The page of an address that may have a query or a fragment. */
export function pageAt(address: string): PageName | null {
  return pageOf(address.split(/[?#]/, 1)[0] ?? '');
}

const patterns = Object.fromEntries(
  Object.entries(pageRoutes).map(([name, path]) => [name, new RegExp(`^${path.replace(/:\w+/g, '[A-Za-z0-9_-]+')}$`)]),
);

/** Pages that would lead back into the sign-in they come from. */
const neverReturnTo: ReadonlySet<PageName> = new Set(['login', 'loginEmail', 'loginEmailLink']);

/**
 * Where to go after sign-in: the given address when it is one of our own pages, unchanged to the byte; `/` for everything else.
 * Asking what may pass, not what may not: no spelling of another site is a page of this one.
 */
export function toSafeReturnUrl(value: unknown): string {
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
  return toSafeReturnUrl(given.length === 1 ? given[0] : null);
}

const pageHome = '/';

/** Where somebody goes on to who was sent home by a guard and may open that page by now; null for everybody else. */
export function readWayBack(parameters: URLSearchParams, roles: Roles | undefined): string | null {
  const wanted = readReturnUrl(parameters);
  const page = pageAt(wanted);
  const need = page === null ? undefined : needOf(page);
  return need && can(roles, need) ? wanted : null;
}

/** What the guard of a page asks for that sends home, with a returnUrl, whoever has not got it. */
function needOf(page: PageName): Permission | undefined {
  if (page.startsWith('admin')) return 'admin';
  return page.startsWith('desk') ? 'edit' : undefined;
}
