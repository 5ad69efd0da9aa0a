import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

/** Where the video service has its films. */
const videos = '/:location/Accounts/:account/Videos';

/** What the video service answers; those that only it has are marked as ours. */
export const videoServiceRoutes = {
  /** What scripts change a key for: a token for the account, and one for a single video. A bare JSON string. */
  accountTokenByKey: {
    method: 'GET',
    path: '/Auth/:location/Accounts/:account/AccessToken',
    surface: 'video-service',
    need: 'key',
    rate: 'tokens',
    reads: 'self',
  },
  videoTokenByKey: {
    method: 'GET',
    path: '/Auth/:location/Accounts/:account/Videos/:id/AccessToken',
    surface: 'video-service',
    need: 'key',
    rate: 'tokens',
    reads: 'self',
  },
  searchVideos: {
    method: 'GET',
    path: `${videos}/Search`,
    surface: 'video-service',
    need: 'account-token',
    rate: 'search',
    price: 'search',
    reads: 'matches',
  },
  /** What a search came to, counted by kind, length and name. */
  searchFacets: {
    method: 'GET',
    path: `${videos}/Search/Facets`,
    surface: 'video-service',
    need: 'account-token',
    rate: 'search',
    price: 'count',
    reads: 'matches',
  },
  listVideos: { method: 'GET', path: videos, surface: 'video-service', need: 'records-token', rate: { none: 'staff' }, reads: 'records' },
  /** The id of the one film with this external id, in whatever state it is. A bare JSON string. */
  idByExternalId: {
    method: 'GET',
    path: `${videos}/GetIdByExternalId`,
    surface: 'video-service',
    need: 'records-token',
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
  /** Adds a film whose file comes as multipart form data. */
  uploadVideo: {
    method: 'POST',
    path: videos,
    carriesFile: true,
    surface: 'video-service',
    need: 'edit-token',
    rate: { none: 'staff' },
    reads: 'records',
  },
  /** 204. */
  deleteVideo: {
    method: 'DELETE',
    path: `${videos}/:id`,
    surface: 'video-service',
    need: 'edit-token',
    rate: { none: 'staff' },
    reads: 'nothing',
  },
  /** Has a film looked through again, or one that failed ingested; 204. */
  reindexVideo: {
    method: 'PUT',
    path: `${videos}/:id/ReIndex`,
    surface: 'video-service',
    need: 'edit-token',
    rate: { none: 'staff' },
    reads: 'nothing',
  },
  /** Changes a film's name, its description and what its lines say, as a JSON Patch of the index document, and answers that as it is then. */
  patchIndex: {
    method: 'PATCH',
    path: `${videos}/:id/Index`,
    surface: 'video-service',
    bodyMaxBytes: limits.linesBodyMaxBytes,
    need: 'edit-token',
    rate: { none: 'staff' },
    reads: 'records',
  },
  /** Has the lines of a subtitle file, sent as `text/vtt`, stand in the place of all that is said. 204. */
  replaceTranscript: {
    method: 'PUT',
    path: `${videos}/:id/Index/Transcript`,
    surface: 'video-service',
    bodyMaxBytes: limits.transcriptFileMaxBytes,
    need: 'edit-token',
    rate: { none: 'staff' },
    reads: 'nothing',
  },
  /** 204. */
  renameFace: {
    method: 'PUT',
    path: `${videos}/:id/Index/Faces/:face`,
    surface: 'video-service',
    need: 'edit-token',
    rate: { none: 'staff' },
    reads: 'nothing',
  },
  /** Of one video; with an edit token of any film in any state. */
  videoIndex: {
    method: 'GET',
    path: `${videos}/:id/Index`,
    surface: 'video-service',
    need: 'video-or-edit-token',
    rate: 'search',
    reads: 'film',
  },
  /** Ours: every match of one film, where a search tells of the best hundred. */
  filmMatches: {
    method: 'GET',
    path: `${videos}/:id/Matches`,
    surface: 'video-service',
    need: 'video-token',
    rate: 'search',
    price: 'search',
    reads: 'film',
  },
  /** Ours: what is said or written before a moment of one film, and after it. */
  linesAround: {
    method: 'GET',
    path: `${videos}/:id/LinesAround`,
    surface: 'video-service',
    need: 'video-token',
    rate: { none: 'playing' },
    reads: 'film',
  },
  captions: {
    method: 'GET',
    path: `${videos}/:id/Captions`,
    surface: 'video-service',
    need: 'video-or-edit-token',
    rate: 'search',
    reads: 'film',
  },
  /** Poster and card stills with an account token; any frame with the video token. */
  thumbnail: {
    method: 'GET',
    path: `${videos}/:id/Thumbnails/:thumbnailId`,
    surface: 'video-service',
    need: 'account-or-video-token',
    rate: 'thumbnails',
    reads: 'matches',
  },
} as const satisfies Record<string, Route>;
