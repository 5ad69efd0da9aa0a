/*
 * The product's table of contents: every address that the server answers but the pages, which stand in `page-routes.ts`. Pages carry
 * this file, so it knows no schemas; what goes in and comes out as JSON stands in `endpoints.ts`.
 */

/**
 * Who may call: `guest` anyone; `signed-in` any session; `view`, `edit`, `admin` a session with that permission; `account-token`
 * search and posters; `admin-token` an account token with admin fields; `video-token` a token of that one video;
 * `account-or-video-token` either, and the route decides what each may see; `media-cookie` the stream's cookie or token.
 */
export type Need =
  | 'guest'
  | 'signed-in'
  | 'view'
  | 'edit'
  | 'admin'
  | 'account-token'
  | 'admin-token'
  | 'video-token'
  | 'account-or-video-token'
  | 'media-cookie';

/**
 * Whom a route belongs to, since each may be at another address. The `video-service` speaks of errors in its own shape,
 * `{ErrorType, Message}`; the `site` and the `functions` that hand out access tokens as problem details.
 */
export type Surface = 'site' | 'functions' | 'video-service';

/** The buckets of a visitor; every call takes its price from one of them. */
export type Bucket = 'search' | 'thumbnails' | 'tokens';

/**
 * Why a route takes from no bucket: `small` says the same to everybody out of memory, or one row; `own` is about one's own session
 * and changes it; `staff` is for those who work in the archive and fetch hundreds of pages in a row; `playing` is a film, hundreds
 * of small requests; `watchdog` is asked by machines that look whether the server lives.
 */
export interface NoBucket {
  readonly none: 'small' | 'own' | 'staff' | 'playing' | 'watchdog';
}

/** What a call costs: 1 where nothing is said; `search` and `count` are charged by what the search takes. */
export type Price = number | 'search' | 'count';

/**
 * What an answer holds, and who may be let in to it. `nothing`: no data of anybody. `titles`: what every visitor sees of a video.
 * `matches`: that, and as much of what is said, written and seen as the reader may read. `film`: all of one film. `records`: videos
 * in every state, as the archive knows them for itself. `self`: who asks. `person`: who is named; the route decides who may name whom. `people`: everybody. `searches`: what visitors looked for.
 * `work`: what is done with a film, and what people changed of it. `health`: how the archive is kept.
 */
interface NeedOf {
  readonly nothing: Need;
  readonly titles: Need;
  readonly matches: Need;
  readonly film: 'video-token' | 'media-cookie';
  readonly records: 'admin-token';
  readonly self: 'guest' | 'signed-in' | 'view';
  readonly person: 'signed-in';
  readonly people: 'admin';
  readonly searches: 'edit';
  readonly work: 'edit';
  readonly health: 'admin';
}

interface Address {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path with `:name` parameters. */
  readonly path: string;
  readonly surface: Surface;
}
type Rated = { readonly rate: Bucket; readonly price?: Price } | { readonly rate: NoBucket };
type Guarded = { [R in keyof NeedOf]: { readonly reads: R; readonly need: NeedOf[R] } }[keyof NeedOf];

/** One row: without a rate, without what it reads, or with a need that is too weak for that, it does not compile. */
export type Route = Address & Rated & Guarded;

export const routes = {
  session: { method: 'GET', path: '/api/session', surface: 'site', need: 'guest', rate: { none: 'own' }, reads: 'self' },
  signOut: { method: 'POST', path: '/api/sign-out', surface: 'site', need: 'guest', rate: { none: 'own' }, reads: 'nothing' },
  /** Mails a one-time link; the answer is the same whether the address is known or not. 202. */
  sendSignInLink: { method: 'POST', path: '/api/sign-in-links', surface: 'site', need: 'guest', rate: 'tokens', reads: 'nothing' },
  /** Spends a one-time link, with the address it was sent to. Opening the link's page never does, so that mail scanners spend nothing. */
  signInLink: { method: 'POST', path: '/api/sign-in-link', surface: 'site', need: 'guest', rate: 'tokens', reads: 'nothing' },
  userBearer: { method: 'GET', path: '/api/user-token', surface: 'site', need: 'signed-in', rate: 'tokens', reads: 'self' },
  /** Server-sent events: the session of this browser as it is now, and again whenever it changes. */
  sessionEvents: { method: 'GET', path: '/api/session/events', surface: 'site', need: 'signed-in', rate: { none: 'own' }, reads: 'self' },
  /** Begin signing in at a provider, in a window of its own or in the whole page; come back; tell the page and close. */
  popupSignIn: { method: 'GET', path: '/sign-in/popup-start', surface: 'site', need: 'guest', rate: 'tokens', reads: 'nothing' },
  redirectSignIn: { method: 'GET', path: '/sign-in/redirect-start', surface: 'site', need: 'guest', rate: 'tokens', reads: 'nothing' },
  signInCallback: {
    method: 'GET',
    path: '/api/auth/callback/:provider',
    surface: 'site',
    need: 'guest',
    rate: { none: 'own' },
    reads: 'nothing',
  },
  popupDone: { method: 'GET', path: '/sign-in/popup-done', surface: 'site', need: 'guest', rate: { none: 'small' }, reads: 'nothing' },
  signInFile: { method: 'GET', path: '/sign-in/files/:name', surface: 'site', need: 'guest', rate: { none: 'small' }, reads: 'nothing' },

  account: { method: 'GET', path: '/api/account', surface: 'site', need: 'signed-in', rate: { none: 'own' }, reads: 'self' },
  /** What somebody who waits tells the administrators about themselves. */
  setOwnNote: { method: 'PUT', path: '/api/account/note', surface: 'site', need: 'signed-in', rate: 'tokens', reads: 'nothing' },
  endOwnSession: {
    method: 'DELETE',
    path: '/api/account/sessions/:sid',
    surface: 'site',
    need: 'signed-in',
    rate: { none: 'own' },
    reads: 'nothing',
  },
  signOutEverywhere: {
    method: 'POST',
    path: '/api/account/sign-out-everywhere',
    surface: 'site',
    need: 'signed-in',
    rate: { none: 'own' },
    reads: 'nothing',
  },
  deleteOwnAccount: { method: 'DELETE', path: '/api/account', surface: 'site', need: 'signed-in', rate: { none: 'own' }, reads: 'nothing' },
  /** Everything that is kept about oneself, as a JSON file. */
  accountExport: { method: 'GET', path: '/api/account/export', surface: 'site', need: 'signed-in', rate: 'tokens', reads: 'self' },
  avatar: { method: 'GET', path: '/api/avatars/:hash', surface: 'site', need: 'signed-in', rate: { none: 'small' }, reads: 'nothing' },

  listUsers: { method: 'GET', path: '/api/users', surface: 'site', need: 'admin', rate: { none: 'staff' }, reads: 'people' },
  /** Oneself, or anybody for an administrator. */
  readUser: { method: 'GET', path: '/api/users/:uid', surface: 'site', need: 'signed-in', rate: 'tokens', reads: 'person' },
  /** One's own name; nothing else of a user is set this way. */
  setOwnName: { method: 'PUT', path: '/api/users/:uid', surface: 'site', need: 'signed-in', rate: 'tokens', reads: 'self' },
  setRole: { method: 'PATCH', path: '/api/users/:uid/roles', surface: 'site', need: 'admin', rate: { none: 'staff' }, reads: 'people' },
  /** 204. */
  deleteUser: { method: 'DELETE', path: '/api/users/:uid', surface: 'site', need: 'admin', rate: { none: 'staff' }, reads: 'nothing' },
  listActivity: { method: 'GET', path: '/api/activity', surface: 'site', need: 'admin', rate: { none: 'staff' }, reads: 'people' },
  activityCsv: { method: 'GET', path: '/api/activity/csv', surface: 'site', need: 'admin', rate: { none: 'staff' }, reads: 'people' },
  /** How the archive stands with its backups. */
  backupState: { method: 'GET', path: '/api/backup', surface: 'site', need: 'admin', rate: { none: 'staff' }, reads: 'health' },

  accountToken: {
    method: 'GET',
    path: '/api/GetVideoIndexerAccountTokenV2',
    surface: 'functions',
    need: 'guest',
    rate: 'tokens',
    reads: 'self',
  },
  videoToken: {
    method: 'GET',
    path: '/api/GetVideoIndexerVideoAccessTokenV2/:id',
    surface: 'functions',
    need: 'view',
    rate: 'tokens',
    reads: 'self',
  },

  searchVideos: {
    method: 'GET',
    path: '/:location/Accounts/:account/Videos/Search',
    surface: 'video-service',
    need: 'account-token',
    rate: 'search',
    price: 'search',
    reads: 'matches',
  },
  /** What a search came to, counted by kind, length and name. */
  searchFacets: {
    method: 'GET',
    path: '/:location/Accounts/:account/Videos/Search/Facets',
    surface: 'video-service',
    need: 'account-token',
    rate: 'search',
    price: 'count',
    reads: 'matches',
  },
  listVideos: {
    method: 'GET',
    path: '/:location/Accounts/:account/Videos',
    surface: 'video-service',
    need: 'admin-token',
    rate: { none: 'staff' },
    reads: 'records',
  },
  partnerSearch: {
    method: 'GET',
    path: '/Partner/Breakdowns/Search',
    surface: 'video-service',
    need: 'account-token',
    rate: 'search',
    price: 'search',
    reads: 'matches',
  },
  /** What a browser offers while somebody types into its own search field: titles, people and brands. */
  suggestions: {
    method: 'GET',
    path: '/api/suggestions',
    surface: 'site',
    need: 'guest',
    rate: 'search',
    price: 'search',
    reads: 'matches',
  },
  /** Words and names to try, for the search help. Each is tried out by a search. */
  searchExamples: {
    method: 'GET',
    path: '/api/search-examples',
    surface: 'site',
    need: 'guest',
    rate: 'search',
    price: 10,
    reads: 'matches',
  },
  /** A page tells that something of a search's answer was opened. 204, whatever the text. */
  searchOpened: { method: 'POST', path: '/api/search-opened', surface: 'site', need: 'guest', rate: 'search', reads: 'nothing' },
  /** Queries that found nothing, or of whose answer nothing was opened; most frequent first. */
  listUnfound: { method: 'GET', path: '/api/unfound', surface: 'site', need: 'edit', rate: { none: 'staff' }, reads: 'searches' },
  /** Takes a query off that list, until it fails again. */
  dismissUnfound: { method: 'DELETE', path: '/api/unfound', surface: 'site', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },

  /** What people changed of a film, also what was undone and what no longer fits. */
  listCorrections: {
    method: 'GET',
    path: '/api/videos/:id/corrections',
    surface: 'site',
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'work',
  },
  correctTitle: { method: 'PUT', path: '/api/videos/:id/title', surface: 'site', need: 'edit', rate: { none: 'staff' }, reads: 'work' },
  /** Takes a correction back; it stays in the list. */
  undoCorrection: {
    method: 'POST',
    path: '/api/videos/:id/corrections/:correction/undo',
    surface: 'site',
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'work',
  },
  /** What is done with a film, step by step. */
  listSteps: { method: 'GET', path: '/api/videos/:id/steps', surface: 'site', need: 'edit', rate: { none: 'staff' }, reads: 'work' },
  /** Has a step of a film done again; 202. */
  runStep: {
    method: 'POST',
    path: '/api/videos/:id/steps/:step/run',
    surface: 'site',
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'nothing',
  },
  /** Leaves a step out that a film can do without; 204. */
  skipStep: {
    method: 'POST',
    path: '/api/videos/:id/steps/:step/skip',
    surface: 'site',
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'nothing',
  },
  /** Stops a step that is running; 204. */
  cancelStep: {
    method: 'POST',
    path: '/api/videos/:id/steps/:step/cancel',
    surface: 'site',
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'nothing',
  },
  /** Has a step done for all films that it was never done with, or by a version below this one; 202, with how many that are. */
  runStepForAll: {
    method: 'POST',
    path: '/api/steps/:step/run',
    surface: 'site',
    need: 'admin',
    rate: { none: 'staff' },
    reads: 'nothing',
  },
  /** Lets a film that failed be ingested again; 202. */
  retryVideo: { method: 'POST', path: '/api/videos/:id/retry', surface: 'site', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  videoIndex: {
    method: 'GET',
    path: '/:location/Accounts/:account/Videos/:id/Index',
    surface: 'video-service',
    need: 'video-token',
    rate: 'search',
    reads: 'film',
  },
  captions: {
    method: 'GET',
    path: '/:location/Accounts/:account/Videos/:id/Captions',
    surface: 'video-service',
    need: 'video-token',
    rate: 'search',
    reads: 'film',
  },
  /** Poster and card stills with an account token; any frame with the video token. */
  thumbnail: {
    method: 'GET',
    path: '/:location/Accounts/:account/Videos/:id/Thumbnails/:thumbnailId',
    surface: 'video-service',
    need: 'account-or-video-token',
    rate: 'thumbnails',
    reads: 'matches',
  },
  player: {
    method: 'GET',
    path: '/embed/player/:account/:id/',
    surface: 'site',
    need: 'video-token',
    rate: { none: 'playing' },
    reads: 'film',
  },
  insights: {
    method: 'GET',
    path: '/embed/insights/:account/:id/',
    surface: 'site',
    need: 'video-token',
    rate: { none: 'playing' },
    reads: 'film',
  },
  /** The script of the page that a frame shows when its token is not taken. */
  embedRefused: { method: 'GET', path: '/embed/refused.js', surface: 'site', need: 'guest', rate: { none: 'small' }, reads: 'nothing' },
  /** Takes a fresh video token in the Authorization header and renews the stream cookie. */
  mediaSession: {
    method: 'POST',
    path: '/media/:id/session',
    surface: 'site',
    need: 'video-token',
    rate: { none: 'playing' },
    reads: 'nothing',
  },
  media: { method: 'GET', path: '/media/:id/*', surface: 'site', need: 'media-cookie', rate: { none: 'playing' }, reads: 'film' },
  /** The poster of a processed video for who has no token to show: previews of links, feed readers. */
  poster: { method: 'GET', path: '/posters/:id.jpg', surface: 'site', need: 'guest', rate: 'thumbnails', reads: 'titles' },
  /** The newest videos, for feed readers. */
  feed: { method: 'GET', path: '/feed.xml', surface: 'site', need: 'guest', rate: 'search', reads: 'titles' },

  healthz: { method: 'GET', path: '/healthz', surface: 'site', need: 'guest', rate: { none: 'watchdog' }, reads: 'nothing' },
  readyz: { method: 'GET', path: '/readyz', surface: 'site', need: 'guest', rate: { none: 'watchdog' }, reads: 'nothing' },
  robots: { method: 'GET', path: '/robots.txt', surface: 'site', need: 'guest', rate: { none: 'small' }, reads: 'nothing' },
  openSearch: { method: 'GET', path: '/opensearch.xml', surface: 'site', need: 'guest', rate: { none: 'small' }, reads: 'nothing' },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
