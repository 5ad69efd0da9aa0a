import { pageRoutes } from '#contract/page-routes.ts';
import { routes } from '#contract/routes.ts';

/** Every link of the site is built here. */
export const paths = {
  home: pageRoutes.home,
  admin: pageRoutes.admin,
  adminVideos: pageRoutes.adminVideos,
  adminActivity: pageRoutes.adminActivity,
  adminEngines: pageRoutes.adminEngines,
  adminStatus: pageRoutes.adminStatus,
  desk: pageRoutes.desk,
  deskExistingWork: pageRoutes.deskExistingWork,
  deskFilms: pageRoutes.deskFilms,
  deskReplace: pageRoutes.deskReplace,
  deskUnfound: pageRoutes.deskUnfound,
  deskBrands: pageRoutes.deskBrands,
  deskDeleted: pageRoutes.deskDeleted,
  deskDetails: pageRoutes.deskDetails,
  deskKeptBack: pageRoutes.deskKeptBack,
  account: pageRoutes.account,
  activationPending: (returnUrl: string) => withReturnUrl(pageRoutes.activationPending, returnUrl),
  /** A page of the server's own, in a practice archive. */
  practiceMailbox: '/practice/mailbox',
  /** The server's own: the newest videos, for feed readers. */
  feed: routes.feed.path,
  privacy: pageRoutes.privacy,
  cookies: pageRoutes.cookies,
  search: (query: string) => `${pageRoutes.search}?${new URLSearchParams({ query, skip: '0' })}`,
  video: (id: string, { seconds, until, query }: { seconds?: number; until?: number; query?: string } = {}) => {
    const params = new URLSearchParams();
    if (seconds !== undefined) params.set('t', String(Math.floor(seconds)));
    if (until !== undefined) params.set('end', String(Math.ceil(until)));
    if (query) params.set('query', query);
    const path = pageRoutes.video.replace(':id', encodeURIComponent(id));
    return params.size > 0 ? `${path}?${params}` : path;
  },
  login: (returnUrl: string) => withReturnUrl(pageRoutes.login, returnUrl),
  loginEmail: (returnUrl: string) => withReturnUrl(pageRoutes.loginEmail, returnUrl),
  homeWithReturnUrl: (returnUrl: string) => withReturnUrl(pageRoutes.home, returnUrl),
};

function withReturnUrl(path: string, returnUrl: string): string {
  return returnUrl === pageRoutes.home ? path : `${path}?${new URLSearchParams({ returnUrl })}`;
}
