import type { Need, Surface } from './endpoint.ts';

export interface RawRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** `account-or-video-token`: either opens it, and the route decides what each may see. */
  readonly need: Need | 'account-or-video-token' | 'media-cookie';
  readonly surface: Surface;
}

/** Routes that answer bytes or documents instead of JSON; they carry the same `need` as the endpoint table. */
export const rawRoutes = {
  /** Poster and card stills with an account token; any frame with the video token. */
  thumbnail: {
    method: 'GET',
    path: '/:location/Accounts/:account/Videos/:id/Thumbnails/:thumbnailId',
    need: 'account-or-video-token',
    surface: 'video-service',
  },
  captions: { method: 'GET', path: '/:location/Accounts/:account/Videos/:id/Captions', need: 'video-token', surface: 'video-service' },
  player: { method: 'GET', path: '/embed/player/:account/:id/', need: 'video-token', surface: 'ours' },
  insights: { method: 'GET', path: '/embed/insights/:account/:id/', need: 'video-token', surface: 'ours' },
  /** The script of the page that a frame shows when its token is not taken. */
  embedRefused: { method: 'GET', path: '/embed/refused.js', need: 'guest', surface: 'ours' },
  /** Takes a fresh video token in the Authorization header and renews the stream cookie. */
  mediaSession: { method: 'POST', path: '/media/:id/session', need: 'video-token', surface: 'ours' },
  media: { method: 'GET', path: '/media/:id/*', need: 'media-cookie', surface: 'ours' },
  avatar: { method: 'GET', path: '/api/avatars/:hash', need: 'signed-in', surface: 'ours' },
  /** Server-sent events: the session of this browser as it is now, and again whenever it changes. */
  sessionEvents: { method: 'GET', path: '/api/session/events', need: 'signed-in', surface: 'ours' },
  /** Everything that is kept about oneself, as a JSON file. */
  accountExport: { method: 'GET', path: '/api/account/export', need: 'signed-in', surface: 'ours' },
  activityCsv: { method: 'GET', path: '/api/activity/csv', need: 'admin', surface: 'ours' },
  /** Begin signing in at a provider, in a window of its own or in the whole page; come back; tell the page and close. */
  popupSignIn: { method: 'GET', path: '/sign-in/popup-start', need: 'guest', surface: 'ours' },
  redirectSignIn: { method: 'GET', path: '/sign-in/redirect-start', need: 'guest', surface: 'ours' },
  signInCallback: { method: 'GET', path: '/api/auth/callback/:provider', need: 'guest', surface: 'ours' },
  popupDone: { method: 'GET', path: '/sign-in/popup-done', need: 'guest', surface: 'ours' },
  signInFile: { method: 'GET', path: '/sign-in/files/:name', need: 'guest', surface: 'ours' },
  healthz: { method: 'GET', path: '/healthz', need: 'guest', surface: 'ours' },
  robots: { method: 'GET', path: '/robots.txt', need: 'guest', surface: 'ours' },
  openSearch: { method: 'GET', path: '/opensearch.xml', need: 'guest', surface: 'ours' },
  /** What a browser offers while somebody types into its own search field: titles, people and brands. */
  suggestions: { method: 'GET', path: '/api/suggestions', need: 'guest', surface: 'ours' },
  /** The newest videos, for feed readers. */
  feed: { method: 'GET', path: '/feed.xml', need: 'guest', surface: 'ours' },
  /** The poster of a processed video for who has no token to show: previews of links, feed readers. */
  poster: { method: 'GET', path: '/posters/:id.jpg', need: 'guest', surface: 'ours' },
  readyz: { method: 'GET', path: '/readyz', need: 'guest', surface: 'ours' },
} as const satisfies Record<string, RawRoute>;
