/**
 * Method and path of every call the pages make, without the schemas of `contract/endpoints.ts`: those would add their library
 * to the first load of every page. `calls.test.ts` holds the two tables together.
 */
export const calls = {
  session: { route: 'GET /api/session', base: 'site' },
  signOut: { route: 'POST /api/sign-out', base: 'site' },
  signInLink: { route: 'POST /api/sign-in-link', base: 'site' },
  userBearer: { route: 'GET /api/user-token', base: 'site' },
  accountToken: { route: 'GET /api/GetVideoIndexerAccountTokenV2', base: 'functions' },
  videoToken: { route: 'GET /api/GetVideoIndexerVideoAccessTokenV2/:id', base: 'functions' },
  searchVideos: { route: 'GET /:location/Accounts/:account/Videos/Search', base: 'video-service' },
  partnerSearch: { route: 'GET /Partner/Breakdowns/Search', base: 'video-service' },
  videoIndex: { route: 'GET /:location/Accounts/:account/Videos/:id/Index', base: 'video-service' },
} as const satisfies Record<string, { route: string; base: 'site' | 'functions' | 'video-service' }>;

export type CallName = keyof typeof calls;
