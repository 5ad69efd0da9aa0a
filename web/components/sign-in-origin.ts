import { createPath, type Location, type NavigationType, parsePath, useLocation } from 'react-router';
import { type PageName, pageOf } from '#contract/page-routes.ts';
import { paths } from '#web/paths.ts';

/** How the sign-in window came up: kept in the history entry, so that it outlives a reload. */
export interface SignInOrigin {
  /** The page to show under the window: never one that needs signing in. */
  behind: Partial<Location>;
  /** `link`: the page behind is one step back in the history, so going back leads there, to the place where one was. */
  openedBy: 'link' | 'guard' | 'address';
}

const open: ReadonlySet<PageName | null> = new Set(['home', 'search', 'privacy', 'cookies']);

/** Whether anybody may look at this page. */
export function isOpenPage(pathname: string): boolean {
  return open.has(pageOf(pathname));
}

let lastOpenPage: string = paths.home;
let here: Location | undefined;
let isOpenBefore = false;

/** Follows the visitor: the last page that needs no signing in is where the sign-in window leads back to after a redirect. */
export function notePage(location: Location, action: NavigationType): void {
  // The router tells of every change of its state, not only of a change of place.
  if (location.key === here?.key) return;
  if (action === 'PUSH') isOpenBefore = here !== undefined && isOpenPage(here.pathname);
  if (action === 'POP') isOpenBefore = false;
  here = location;
  if (isOpenPage(location.pathname)) lastOpenPage = createPath(location);
}

/** State for a link to the sign-in window from this page. */
export function openedFrom(location: Location): { behind: string; openedBy: 'link' } {
  return { behind: isOpenPage(location.pathname) ? createPath(location) : lastOpenPage, openedBy: 'link' };
}

/** State for a guard that sends a guest to the sign-in window: it takes the place of the guarded page, on top of the page before. */
export function sentByGuard(): { behind: string; openedBy: 'link' | 'guard' } {
  return { behind: lastOpenPage, openedBy: isOpenBefore ? 'link' : 'guard' };
}

/** Where the sign-in window that is on show was opened from. */
export function useSignInOrigin(): SignInOrigin {
  return readSignInOrigin(useLocation().state);
}

/** The same out of a history entry, which may hold anything. */
export function readSignInOrigin(state: unknown): SignInOrigin {
  const read = (name: string): unknown => (typeof state === 'object' && state !== null ? Reflect.get(state, name) : undefined);
  const behind = read('behind');
  const openedBy = read('openedBy');
  const path = typeof behind === 'string' ? parsePath(behind) : {};
  return {
    behind: path.pathname && isOpenPage(path.pathname) ? path : parsePath(paths.home),
    openedBy: openedBy === 'link' || openedBy === 'guard' ? openedBy : 'address',
  };
}
