/**
 * Method and path of every call the pages make, without the schemas of `contract/endpoints.ts`: those would add their library
 * to the first load of every page. `calls.test.ts` holds the two tables together.
 */
export const calls = {
  session: { route: 'GET /api/session', base: 'site' },
  signOut: { route: 'POST /api/sign-out', base: 'site' },
  sendSignInLink: { route: 'POST /api/sign-in-links', base: 'site' },
  signInLink: { route: 'POST /api/sign-in-link', base: 'site' },
  account: { route: 'GET /api/account', base: 'site' },
  setOwnNote: { route: 'PUT /api/account/note', base: 'site' },
  endOwnSession: { route: 'DELETE /api/account/sessions/:sid', base: 'site' },
  signOutEverywhere: { route: 'POST /api/account/sign-out-everywhere', base: 'site' },
  deleteOwnAccount: { route: 'DELETE /api/account', base: 'site' },
  listUsers: { route: 'GET /api/users', base: 'site' },
  setOwnName: { route: 'PUT /api/users/:uid', base: 'site' },
  setRole: { route: 'PATCH /api/users/:uid/roles', base: 'site' },
  deleteUser: { route: 'DELETE /api/users/:uid', base: 'site' },
  listActivity: { route: 'GET /api/activity', base: 'site' },
  backupState: { route: 'GET /api/backup', base: 'site' },
  userBearer: { route: 'GET /api/user-token', base: 'site' },
  accountToken: { route: 'GET /api/GetVideoIndexerAccountTokenV2', base: 'functions' },
  videoToken: { route: 'GET /api/GetVideoIndexerVideoAccessTokenV2/:id', base: 'functions' },
  listUnfound: { route: 'GET /api/unfound', base: 'site' },
  dismissUnfound: { route: 'DELETE /api/unfound', base: 'site' },
  listCorrections: { route: 'GET /api/videos/:id/corrections', base: 'site' },
  correctTitle: { route: 'PUT /api/videos/:id/title', base: 'site' },
  undoCorrection: { route: 'POST /api/videos/:id/corrections/:correction/undo', base: 'site' },
  retryVideo: { route: 'POST /api/videos/:id/retry', base: 'site' },
  searchOpened: { route: 'POST /api/search-opened', base: 'site' },
  searchExamples: { route: 'GET /api/search-examples', base: 'site' },
  searchVideos: { route: 'GET /:location/Accounts/:account/Videos/Search', base: 'video-service' },
  searchFacets: { route: 'GET /:location/Accounts/:account/Videos/Search/Facets', base: 'video-service' },
  listVideos: { route: 'GET /:location/Accounts/:account/Videos', base: 'video-service' },
  partnerSearch: { route: 'GET /Partner/Breakdowns/Search', base: 'video-service' },
  videoIndex: { route: 'GET /:location/Accounts/:account/Videos/:id/Index', base: 'video-service' },
} as const satisfies Record<string, { route: string; base: 'site' | 'functions' | 'video-service' }>;

export type CallName = keyof typeof calls;
