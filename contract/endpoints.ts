import { z } from 'zod';
import { Account } from './account.ts';
import { BackupState } from './backup.ts';
import { CorrectionList, CorrectTitleInput, NameOfVideo, UndoCorrectionInput } from './corrections.ts';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { SearchExamples } from './search-examples.ts';
import { SearchFacets } from './search-facets.ts';
import { Session } from './session.ts';
import { StepForAllInput, StepInput, VideoSteps } from './steps.ts';
import { AccessToken, UserBearer } from './token.ts';
import { ListUnfoundInput, UnfoundPage } from './unfound.ts';
import { ActivityPage, ListActivityInput, ListUsersInput, SetRoleInput, UserPage, UserRow } from './users.ts';
import { SearchResponse, VideoIndex } from './video-service.ts';
import { ListVideosInput, PartnerSearchInput, SearchVideosInput, VideoIndexInput } from './video-service-input.ts';

const nothing = z.object({});

/** The product's table of contents: every call with a typed answer. The raw routes stand in `raw-routes.ts`. */
export const endpoints = {
  session: endpoint({ method: 'GET', path: '/api/session', need: 'guest', surface: 'ours', input: nothing, output: Session }),
  signOut: endpoint({ method: 'POST', path: '/api/sign-out', need: 'guest', surface: 'ours', input: nothing, output: nothing }),
  /** Mails a one-time link; the answer is the same whether the address is known or not. 202. */
  sendSignInLink: endpoint({
    method: 'POST',
    path: '/api/sign-in-links',
    need: 'guest',
    surface: 'ours',
    // The address is read by its own grammar, so that every other value gets `invalid_email`.
    input: z.object({ email: z.unknown(), displayName: z.unknown(), returnUrl: z.string().max(2_000).default('/') }),
    output: nothing,
  }),
  /** Spends a one-time link, with the address it was sent to. Opening the link's page never does, so that mail scanners spend nothing. */
  signInLink: endpoint({
    method: 'POST',
    path: '/api/sign-in-link',
    need: 'guest',
    surface: 'ours',
    input: z.object({ token: z.string().max(200), email: z.string().max(400) }),
    output: nothing,
  }),
  userBearer: endpoint({ method: 'GET', path: '/api/user-token', need: 'signed-in', surface: 'ours', input: nothing, output: UserBearer }),
  account: endpoint({ method: 'GET', path: '/api/account', need: 'signed-in', surface: 'ours', input: nothing, output: Account }),
  /** What somebody who waits tells the administrators about themselves. */
  setOwnNote: endpoint({
    method: 'PUT',
    path: '/api/account/note',
    need: 'signed-in',
    surface: 'ours',
    input: z.strictObject({ note: z.string().max(2 * limits.noteMaxCodePoints) }),
    output: nothing,
  }),
  endOwnSession: endpoint({
    method: 'DELETE',
    path: '/api/account/sessions/:sid',
    need: 'signed-in',
    surface: 'ours',
    input: z.object({ sid: z.string() }),
    output: nothing,
  }),
  signOutEverywhere: endpoint({
    method: 'POST',
    path: '/api/account/sign-out-everywhere',
    need: 'signed-in',
    surface: 'ours',
    input: nothing,
    output: nothing,
  }),
  deleteOwnAccount: endpoint({
    method: 'DELETE',
    path: '/api/account',
    need: 'signed-in',
    surface: 'ours',
    input: nothing,
    output: nothing,
  }),
  listUsers: endpoint({ method: 'GET', path: '/api/users', need: 'admin', surface: 'ours', input: ListUsersInput, output: UserPage }),
  /** Oneself, or anybody for an administrator. */
  readUser: endpoint({
    method: 'GET',
    path: '/api/users/:uid',
    need: 'signed-in',
    surface: 'ours',
    input: z.object({ uid: z.string() }),
    output: UserRow,
  }),
  /** One's own name; nothing else of a user is set this way. */
  setOwnName: endpoint({
    method: 'PUT',
    path: '/api/users/:uid',
    need: 'signed-in',
    surface: 'ours',
    input: z.strictObject({ uid: z.string(), displayName: z.string().max(10_000) }),
    output: UserRow,
  }),
  setRole: endpoint({
    method: 'PATCH',
    path: '/api/users/:uid/roles',
    need: 'admin',
    surface: 'ours',
    input: SetRoleInput,
    output: UserRow,
  }),
  /** 204. */
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/users/:uid',
    need: 'admin',
    surface: 'ours',
    input: z.object({ uid: z.string() }),
    output: nothing,
  }),
  listActivity: endpoint({
    method: 'GET',
    path: '/api/activity',
    need: 'admin',
    surface: 'ours',
    input: ListActivityInput,
    output: ActivityPage,
  }),
  /** How the archive stands with its backups. */
  backupState: endpoint({ method: 'GET', path: '/api/backup', need: 'admin', surface: 'ours', input: nothing, output: BackupState }),
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
  /** Words and names to try, for the search help. */
  searchExamples: endpoint({
    method: 'GET',
    path: '/api/search-examples',
    need: 'guest',
    surface: 'ours',
    input: nothing,
    output: SearchExamples,
  }),
  /** Queries that found nothing, or of whose answer nothing was opened; most frequent first. */
  listUnfound: endpoint({
    method: 'GET',
    path: '/api/unfound',
    need: 'edit',
    surface: 'ours',
    input: ListUnfoundInput,
    output: UnfoundPage,
  }),
  /** Takes a query off that list, until it fails again. */
  dismissUnfound: endpoint({
    method: 'DELETE',
    path: '/api/unfound',
    need: 'edit',
    surface: 'ours',
    input: z.object({ text: z.string().max(2 * limits.queryMaxCodePoints) }),
    output: nothing,
  }),
  /** A page tells that something of a search's answer was opened. 204, whatever the text. */
  searchOpened: endpoint({
    method: 'POST',
    path: '/api/search-opened',
    need: 'guest',
    surface: 'ours',
    input: z.object({ query: z.string().max(2 * limits.queryMaxCodePoints) }),
    output: nothing,
  }),
  searchVideos: endpoint({
    method: 'GET',
    path: '/:location/Accounts/:account/Videos/Search',
    need: 'account-token',
    surface: 'video-service',
    input: SearchVideosInput,
    output: SearchResponse,
  }),
  /** What a search came to, counted by kind, length and name. */
  searchFacets: endpoint({
    method: 'GET',
    path: '/:location/Accounts/:account/Videos/Search/Facets',
    need: 'account-token',
    surface: 'video-service',
    input: SearchVideosInput,
    output: SearchFacets,
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
  /** Lets a film that failed be ingested again; 202. */
  retryVideo: endpoint({
    method: 'POST',
    path: '/api/videos/:id/retry',
    need: 'edit',
    surface: 'ours',
    input: z.object({ id: z.string() }),
    output: nothing,
  }),
  /** What people changed of a film, also what was undone and what no longer fits. */
  listCorrections: endpoint({
    method: 'GET',
    path: '/api/videos/:id/corrections',
    need: 'edit',
    surface: 'ours',
    input: z.object({ id: z.string() }),
    output: CorrectionList,
  }),
  correctTitle: endpoint({
    method: 'PUT',
    path: '/api/videos/:id/title',
    need: 'edit',
    surface: 'ours',
    input: CorrectTitleInput,
    output: NameOfVideo,
  }),
  /** Takes a correction back; it stays in the list. */
  undoCorrection: endpoint({
    method: 'POST',
    path: '/api/videos/:id/corrections/:correction/undo',
    need: 'edit',
    surface: 'ours',
    input: UndoCorrectionInput,
    output: NameOfVideo,
  }),
  /** What is done with a film, step by step. */
  listSteps: endpoint({
    method: 'GET',
    path: '/api/videos/:id/steps',
    need: 'edit',
    surface: 'ours',
    input: z.object({ id: z.string() }),
    output: VideoSteps,
  }),
  /** Has a step of a film done again; 202. */
  runStep: endpoint({
    method: 'POST',
    path: '/api/videos/:id/steps/:step/run',
    need: 'edit',
    surface: 'ours',
    input: StepInput,
    output: nothing,
  }),
  /** Leaves a step out that a film can do without; 204. */
  skipStep: endpoint({
    method: 'POST',
    path: '/api/videos/:id/steps/:step/skip',
    need: 'edit',
    surface: 'ours',
    input: StepInput,
    output: nothing,
  }),
  /** Stops a step that is running; 204. */
  cancelStep: endpoint({
    method: 'POST',
    path: '/api/videos/:id/steps/:step/cancel',
    need: 'edit',
    surface: 'ours',
    input: StepInput,
    output: nothing,
  }),
  /** Has a step done for all films that it was never done with, or by a version below this one; 202, with how many that are. */
  runStepForAll: endpoint({
    method: 'POST',
    path: '/api/steps/:step/run',
    need: 'admin',
    surface: 'ours',
    input: StepForAllInput,
    output: z.object({ films: z.number().int() }),
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
