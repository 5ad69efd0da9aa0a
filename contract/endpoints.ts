import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Session } from './session.ts';
import { AccessToken, UserBearer } from './token.ts';
import { SearchResponse, VideoIndex } from './video-service.ts';
import { ListVideosInput, PartnerSearchInput, SearchVideosInput, VideoIndexInput } from './video-service-input.ts';

const nothing = z.object({});

/** The product's table of contents: every call with a typed answer. The raw routes stand in `raw-routes.ts`. */
export const endpoints = {
  session: endpoint({ method: 'GET', path: '/api/session', need: 'guest', surface: 'ours', input: nothing, output: Session }),
  signOut: endpoint({ method: 'POST', path: '/api/sign-out', need: 'guest', surface: 'ours', input: nothing, output: nothing }),
  /** Spends a one-time link. Opening the link's page never does, so that mail scanners spend nothing. */
  signInLink: endpoint({
    method: 'POST',
    path: '/api/sign-in-link',
    need: 'guest',
    surface: 'ours',
    input: z.object({ token: z.string().max(200) }),
    output: nothing,
  }),
  userBearer: endpoint({ method: 'GET', path: '/api/user-token', need: 'signed-in', surface: 'ours', input: nothing, output: UserBearer }),
  accountToken: endpoint({
    method: 'GET',
    path: '/api/GetVideoIndexerAccountTokenV2',
    need: 'guest',
    surface: 'ours',
    input: nothing,
    output: AccessToken,
  }),
  videoToken: endpoint({
    method: 'GET',
    path: '/api/GetVideoIndexerVideoAccessTokenV2/:id',
    need: 'view',
    surface: 'ours',
    input: z.object({ id: z.string() }),
    output: AccessToken,
  }),
  searchVideos: endpoint({
    method: 'GET',
    path: '/:location/Accounts/:account/Videos/Search',
    need: 'account-token',
    surface: 'video-service',
    input: SearchVideosInput,
    output: SearchResponse,
  }),
  listVideos: endpoint({
    method: 'GET',
    path: '/:location/Accounts/:account/Videos',
    need: 'admin-token',
    surface: 'video-service',
    input: ListVideosInput,
    output: SearchResponse,
  }),
  partnerSearch: endpoint({
    method: 'GET',
    path: '/Partner/Breakdowns/Search',
    need: 'account-token',
    surface: 'video-service',
    input: PartnerSearchInput,
    output: SearchResponse,
  }),
  videoIndex: endpoint({
    method: 'GET',
    path: '/:location/Accounts/:account/Videos/:id/Index',
    need: 'video-token',
    surface: 'video-service',
    input: VideoIndexInput,
    output: VideoIndex,
  }),
} as const;
