import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';

/** What opens a route, and where a request carries it. */
type DoorKey = 'account token' | 'admin token' | 'edit token' | 'video token' | 'user bearer' | 'session cookie' | 'media cookie';

export interface Door {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly need: Route['need'];
  readonly key: DoorKey;
  readonly carriedIn: 'query' | 'authorization' | 'cookie';
  /** Whether a video token opens it beside a token of the account. */
  readonly opensToEither: boolean;
}

/** Every route of the table that asks for something, and once more for every other way to carry its key. */
export function guardedDoors(): Door[] {
  return Object.values(routes).flatMap((route: Route) => {
    // A key is no token, nor is an operator's: tests of theirs try what is none. And a check of access asks all doors by itself.
    if (['guest', 'key', 'operator'].includes(route.need) || route === routes.checkAccess) return [];
    return pathsOf(route.path).flatMap((path) => waysIn(route).map(([key, carriedIn]) => doorOf({ ...route, path }, key, carriedIn)));
  });
}

function doorOf({ method, path, need }: { method: string; path: string; need: Door['need'] }, key: DoorKey, carriedIn: Door['carriedIn']) {
  const name = `${method} ${path} by ${key}`;
  return { name, method, path, need, key, carriedIn, opensToEither: need === 'account-or-video-token' || need === 'video-or-edit-token' };
}

/** A stream has files of two kinds: what names the others, and what is heard and seen. */
function pathsOf(path: string): string[] {
  return path.endsWith('/*') ? ['hls/master.m3u8', 'hls/v1/segment-00000.m4s'].map((file) => path.replace('*', file)) : [path];
}

/** Routes that give something for a session cookie alone, so that no token makes another. */
const forCookieOnly: readonly string[] = [routes.userBearer.path, routes.sessionEvents.path];

function waysIn({ method, path, need, surface }: Pick<Route, 'method' | 'path' | 'need' | 'surface'>): [DoorKey, Door['carriedIn']][] {
  const isOfService = surface === 'video-service' || path.startsWith('/embed/');
  const carriedIn = method === 'GET' && isOfService ? 'query' : 'authorization';
  switch (need) {
    case 'account-token':
    case 'account-or-video-token':
      return [['account token', carriedIn]];
    case 'records-token':
      return [
        ['admin token', carriedIn],
        ['edit token', carriedIn],
      ];
    case 'edit-token':
      return [['edit token', carriedIn]];
    case 'video-token':
      return [['video token', carriedIn]];
    case 'video-or-edit-token':
      return [
        ['video token', carriedIn],
        ['edit token', carriedIn],
      ];
    case 'media-cookie':
      return [
        ['video token', 'authorization'],
        ['media cookie', 'cookie'],
      ];
    default:
      return [forCookieOnly.includes(path) ? ['session cookie', 'cookie'] : ['user bearer', 'authorization']];
  }
}
