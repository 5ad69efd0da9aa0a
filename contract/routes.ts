/*
 * The product's table of contents: every address that the server answers but the pages, which stand in `page-routes.ts`. Pages carry
 * this file, so it knows no schemas; what goes in and comes out as JSON stands in `endpoints.ts`.
 */

import { limits } from './limits.ts';
import type { Route } from './route.ts';
import { videoServiceRoutes } from './video-service/routes.ts';

export const routes = {
  ...videoServiceRoutes,

  session: { method: 'GET', path: '/api/session', need: 'guest', rate: { none: 'own' }, reads: 'self' },
  signOut: { method: 'POST', path: '/api/sign-out', need: 'guest', rate: { none: 'own' }, reads: 'nothing' },
  /** Mails a one-time link; the answer is the same whether the address is known or not. 202. */
  sendSignInLink: { method: 'POST', path: '/api/sign-in-links', need: 'guest', rate: 'tokens', reads: 'nothing' },
  /** Spends a one-time link, with the address it was sent to. Opening the link's page never does, so that mail scanners spend nothing. */
  signInLink: { method: 'POST', path: '/api/sign-in-link', need: 'guest', rate: 'tokens', reads: 'nothing' },
  userBearer: { method: 'GET', path: '/api/user-token', need: 'signed-in', rate: 'tokens', reads: 'self' },
  /** Server-sent events: the session of this browser as it is now, and again whenever it changes. */
  sessionEvents: { method: 'GET', path: '/api/session/events', need: 'signed-in', rate: { none: 'own' }, reads: 'self' },
  /** Begin signing in at a provider, in a window of its own or in the whole page; come back; tell the page and close. */
  popupSignIn: { method: 'GET', path: '/sign-in/popup-start', need: 'guest', rate: 'tokens', reads: 'nothing', surface: 'sign-in' },
  redirectSignIn: { method: 'GET', path: '/sign-in/redirect-start', need: 'guest', rate: 'tokens', reads: 'nothing', surface: 'sign-in' },
  signInCallback: {
    method: 'GET',
    path: '/api/auth/callback/:provider',
    need: 'guest',
    rate: { none: 'own' },
    reads: 'nothing',
    surface: 'sign-in',
  },
  popupDone: { method: 'GET', path: '/sign-in/popup-done', need: 'guest', rate: { none: 'small' }, reads: 'nothing' },
  signInFile: { method: 'GET', path: '/sign-in/files/:name', need: 'guest', rate: { none: 'small' }, reads: 'nothing' },

  account: { method: 'GET', path: '/api/account', need: 'signed-in', rate: { none: 'own' }, reads: 'self' },
  /** What somebody who waits tells the administrators about themselves. */
  setOwnNote: { method: 'PUT', path: '/api/account/note', need: 'signed-in', rate: 'tokens', reads: 'nothing' },
  endOwnSession: { method: 'DELETE', path: '/api/account/sessions/:sid', need: 'signed-in', rate: { none: 'own' }, reads: 'nothing' },
  signOutEverywhere: {
    method: 'POST',
    path: '/api/account/sign-out-everywhere',
    need: 'signed-in',
    rate: { none: 'own' },
    reads: 'nothing',
  },
  deleteOwnAccount: { method: 'DELETE', path: '/api/account', need: 'signed-in', rate: { none: 'own' }, reads: 'nothing' },
  /** Everything that is kept about oneself, as a JSON file. */
  accountExport: { method: 'GET', path: '/api/account/export', need: 'signed-in', rate: 'tokens', reads: 'self' },
  /** Makes a key for one's scripts; it is told once. */
  makeKey: { method: 'POST', path: '/api/account/keys', need: 'edit', rate: 'tokens', reads: 'self' },
  /** 204. */
  revokeKey: { method: 'DELETE', path: '/api/account/keys/:key', need: 'signed-in', rate: { none: 'own' }, reads: 'nothing' },
  avatar: { method: 'GET', path: '/api/avatars/:hash', need: 'signed-in', rate: { none: 'small' }, reads: 'nothing' },

  listUsers: { method: 'GET', path: '/api/users', need: 'admin', rate: { none: 'staff' }, reads: 'people' },
  /** Oneself, or anybody for an administrator. */
  readUser: { method: 'GET', path: '/api/users/:uid', need: 'signed-in', rate: 'tokens', reads: 'person' },
  /** One's own name; nothing else of a user is set this way. */
  setOwnName: { method: 'PUT', path: '/api/users/:uid', need: 'signed-in', rate: 'tokens', reads: 'self' },
  setRole: { method: 'PATCH', path: '/api/users/:uid/roles', need: 'admin', rate: { none: 'staff' }, reads: 'people' },
  /** 204. */
  deleteUser: { method: 'DELETE', path: '/api/users/:uid', need: 'admin', rate: { none: 'staff' }, reads: 'nothing' },
  listActivity: { method: 'GET', path: '/api/activity', need: 'admin', rate: { none: 'staff' }, reads: 'people' },
  activityCsv: { method: 'GET', path: '/api/activity/csv', need: 'admin', rate: { none: 'staff' }, reads: 'people' },
  /** How much waits for an administrator to look at it. */
  attention: { method: 'GET', path: '/api/attention', need: 'admin', rate: { none: 'staff' }, reads: 'health' },
  /** How the archive stands with its backups. */
  backupState: { method: 'GET', path: '/api/backup', need: 'admin', rate: { none: 'staff' }, reads: 'health' },

  /** How every part of the archive stands, and what an operator should do about it. */
  archiveStatus: { method: 'GET', path: '/api/status', need: 'admin', rate: { none: 'staff' }, reads: 'health' },
  /** Asks every route as everybody, with a film of its own, and tells what leaks; one check at a time. */
  checkAccess: { method: 'POST', path: '/api/status/access-check', need: 'admin', rate: { none: 'staff' }, reads: 'health' },

  /** What recognises things in films, and the models that can be fetched for it. */
  listEngines: { method: 'GET', path: '/api/engines', need: 'admin', rate: { none: 'staff' }, reads: 'health' },
  /** Has films read by an engine that others have read, or older versions, or none; 202, with how many that are. */
  readAgain: { method: 'POST', path: '/api/engines/read-again', need: 'admin', rate: { none: 'staff' }, reads: 'nothing' },
  /** Turns recognising people across films on or off; tells how many films are looked at again for it. */
  setRecognition: { method: 'PUT', path: '/api/recognition', need: 'admin', rate: { none: 'staff' }, reads: 'health' },
  /** Has a worker fetch a model; 202. */
  fetchModel: { method: 'POST', path: '/api/models/:model/fetch', need: 'admin', rate: { none: 'staff' }, reads: 'nothing' },
  /** Has a worker remove a fetched model, or fetch it no further; 202. */
  letModelGo: { method: 'DELETE', path: '/api/models/:model', need: 'admin', rate: { none: 'staff' }, reads: 'nothing' },

  /** Hides what a recogniser heard that is mostly wrong, or shows it again; 202, with the films that say it. */
  hideRoughSpeech: { method: 'PUT', path: '/api/rough-speech', need: 'admin', rate: { none: 'staff' }, reads: 'nothing' },

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

  /** What a browser offers while somebody types into its own search field: titles, people and brands. */
  suggestions: { method: 'GET', path: '/api/suggestions', need: 'guest', rate: 'search', price: 'search', reads: 'matches' },
  /** Words and names to try, for the search help. Each is tried out by a search. */
  searchExamples: { method: 'GET', path: '/api/search-examples', need: 'guest', rate: 'search', price: 10, reads: 'matches' },
  /** A page tells that something of a search's answer was opened. 204, whatever the text. */
  searchOpened: { method: 'POST', path: '/api/search-opened', need: 'guest', rate: 'search', reads: 'nothing' },
  /** Queries that found nothing, then those of whose answer nothing was opened; most frequent first. */
  listUnfound: { method: 'GET', path: '/api/unfound', need: 'edit', rate: { none: 'staff' }, reads: 'searches' },
  /** Takes a query off that list, until it fails again. */
  dismissUnfound: { method: 'DELETE', path: '/api/unfound', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },

  /** The brands that films are looked through for. */
  brandList: { method: 'GET', path: '/api/brands', need: 'edit', rate: { none: 'staff' }, reads: 'work' },
  /** Keeps another list, and has all films looked through again; 202. */
  replaceBrands: { method: 'PUT', path: '/api/brands', need: 'edit', rate: { none: 'staff' }, reads: 'work' },

  /** What is on its way in: one's own uploads that have not ended, what there is room for, the newest films with their steps, and what the watched folder has beside films. */
  incoming: { method: 'GET', path: '/api/uploads', need: 'edit', rate: { none: 'staff' }, reads: 'work' },
  /** Whether the archive most likely holds a file already, by its size, beginning and end. */
  sameFootage: { method: 'GET', path: '/api/same-footage', need: 'edit', rate: { none: 'staff' }, reads: 'work' },
  /** tus 1.0 (creation, termination): what this server speaks, begin, how much has come, send on, cancel. Only one's own are there. */
  uploadOptions: { method: 'OPTIONS', path: '/api/uploads', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  beginUpload: { method: 'POST', path: '/api/uploads', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  uploadOffset: { method: 'HEAD', path: '/api/uploads/:upload', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  sendUpload: {
    method: 'PATCH',
    path: '/api/uploads/:upload',
    carriesFile: true,
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'nothing',
  },
  cancelUpload: { method: 'DELETE', path: '/api/uploads/:upload', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  /** Compares what has come with what was read, and makes a film of it; 202 while that takes longer: ask again. */
  finishUpload: { method: 'POST', path: '/api/uploads/:upload/finish', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },

  /** What a file that tells of films from elsewhere would bring in, and what of it could not be read; changes nothing. */
  previewExistingWork: {
    method: 'POST',
    path: '/api/existing-work/preview',
    bodyMaxBytes: limits.existingWorkBodyMaxBytes,
    carriesFile: true,
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'records',
  },
  /** Takes such a file in: each film that the archive lacks. */
  takeExistingWork: {
    method: 'POST',
    path: '/api/existing-work',
    bodyMaxBytes: limits.existingWorkBodyMaxBytes,
    carriesFile: true,
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'records',
  },

  /** Films as editors choose them: by how it stands with what is said, and by a text in title, file name or ids. */
  listFilms: { method: 'GET', path: '/api/films', need: 'edit', rate: { none: 'staff' }, reads: 'records' },
  /** Lines of any film that say these words, film by film in order of ids: some hundred films a call. */
  findLines: { method: 'GET', path: '/api/lines', need: 'edit', rate: { none: 'staff' }, reads: 'footage' },
  /** Whether somebody has changed a film, for pages that show what can be corrected: asked every two seconds. */
  filmRevision: { method: 'GET', path: '/api/videos/:id/revision', need: 'edit', rate: { none: 'staff' }, reads: 'work' },
  /** Has another second of a film stand for it; a worker draws it. 202. */
  choosePoster: { method: 'PUT', path: '/api/videos/:id/poster', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  /** What people changed of a film, also what was undone and what no longer fits. */
  listCorrections: { method: 'GET', path: '/api/videos/:id/corrections', need: 'edit', rate: { none: 'staff' }, reads: 'footage' },
  /** Changes what is known of a film as a whole: its title, its description, when and where it was recorded. */
  correctFact: { method: 'PUT', path: '/api/videos/:id/facts/:fact', need: 'edit', rate: { none: 'staff' }, reads: 'footage' },
  /** Adds a person, label or brand to a film, calls it something else, or takes it out. */
  correctName: { method: 'PUT', path: '/api/videos/:id/names/:kind', need: 'edit', rate: { none: 'staff' }, reads: 'footage' },
  /** What is said in a film, line by line, for whoever corrects it. */
  listLines: { method: 'GET', path: '/api/videos/:id/lines', need: 'edit', rate: { none: 'staff' }, reads: 'footage' },
  /** Changes, splits, joins, adds, removes or confirms lines. */
  correctLines: {
    method: 'PUT',
    path: '/api/videos/:id/lines',
    bodyMaxBytes: limits.linesBodyMaxBytes,
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'footage',
  },
  /** What rows of a table would change of which films; changes nothing. */
  previewDetails: {
    method: 'POST',
    path: '/api/details/preview',
    bodyMaxBytes: limits.detailsBodyMaxBytes,
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'records',
  },
  /** Has the lines of a subtitle file stand in the place of all that is said in a film. */
  replaceLines: {
    method: 'PUT',
    path: '/api/videos/:id/lines/file',
    bodyMaxBytes: limits.transcriptBodyMaxBytes,
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'footage',
  },
  /** Takes a correction back; it stays in the list. */
  undoCorrection: {
    method: 'POST',
    path: '/api/videos/:id/corrections/:correction/undo',
    need: 'edit',
    rate: { none: 'staff' },
    reads: 'work',
  },
  /** The faces that were found in a film, for whoever knows whose they are. */
  listFaces: { method: 'GET', path: '/api/videos/:id/faces', need: 'edit', rate: { none: 'staff' }, reads: 'footage' },
  /** Says whose face it is; taking that back is taking a correction back. */
  namePerson: { method: 'PUT', path: '/api/videos/:id/faces/:mark', need: 'edit', rate: { none: 'staff' }, reads: 'work' },
  /** Says that two faces without a name are of one person, whoever that is; taking that back is taking a correction back. */
  mergeFaces: { method: 'POST', path: '/api/videos/:id/faces/:mark/merge', need: 'edit', rate: { none: 'staff' }, reads: 'work' },
  /** Forgets whose face it is, with all that the archive knows of them in this film or in every one; there is no way back. */
  forgetPerson: { method: 'DELETE', path: '/api/videos/:id/faces/:mark', need: 'admin', rate: { none: 'staff' }, reads: 'health' },
  /** The same of somebody whom the film names, and whose face nobody knows in it. */
  forgetName: { method: 'DELETE', path: '/api/videos/:id/people', need: 'admin', rate: { none: 'staff' }, reads: 'health' },
  /** What is done with a film, step by step. */
  listSteps: { method: 'GET', path: '/api/videos/:id/steps', need: 'edit', rate: { none: 'staff' }, reads: 'work' },
  /** Has a step of a film done again; 202. */
  runStep: { method: 'POST', path: '/api/videos/:id/steps/:step/run', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  /** Leaves a step out that a film can do without; 204. */
  skipStep: { method: 'POST', path: '/api/videos/:id/steps/:step/skip', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  /** Stops a step that is running; 204. */
  cancelStep: { method: 'POST', path: '/api/videos/:id/steps/:step/cancel', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  /** Has a step done for all films that it was never done with, or by a version below this one; 202, with how many that are. */
  runStepForAll: { method: 'POST', path: '/api/steps/:step/run', need: 'admin', rate: { none: 'staff' }, reads: 'nothing' },
  /** Who sees a film, and who said so. */
  filmVisibility: { method: 'GET', path: '/api/videos/:id/visibility', need: 'edit', rate: { none: 'staff' }, reads: 'footage' },
  /** Says who sees a film from now on: guests, viewers, or nobody but editors, for good or until a time. */
  setVisibility: { method: 'PUT', path: '/api/videos/:id/visibility', need: 'edit', rate: { none: 'staff' }, reads: 'footage' },
  /** Films that not everybody sees. */
  listKeptBack: { method: 'GET', path: '/api/kept-back', need: 'edit', rate: { none: 'staff' }, reads: 'records' },
  /** Deletes a film: nothing shows it any more, and for 30 days at least it can be brought back; 204. */
  deleteFilm: { method: 'DELETE', path: '/api/videos/:id', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  /** Films that are deleted and can be brought back. */
  listDeletions: { method: 'GET', path: '/api/deletions', need: 'edit', rate: { none: 'staff' }, reads: 'records' },
  /** Brings a deleted film back as it was; 204. */
  restoreFilm: { method: 'POST', path: '/api/deletions/:id/restore', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  /** Erases a deleted film at once, with its original and all that was made of it; there is no way back. 204. */
  eraseFilm: { method: 'DELETE', path: '/api/deletions/:id', need: 'admin', rate: { none: 'staff' }, reads: 'nothing' },
  /** Lets a film that failed be ingested again; 202. */
  retryVideo: { method: 'POST', path: '/api/videos/:id/retry', need: 'edit', rate: { none: 'staff' }, reads: 'nothing' },
  /** What is known of a film as a whole, for whoever may watch it. */
  filmFacts: { method: 'GET', path: '/api/videos/:id/facts', need: 'video-token', rate: { none: 'playing' }, reads: 'film' },
  player: { method: 'GET', path: '/embed/player/:account/:id/', need: 'video-token', rate: { none: 'playing' }, reads: 'film' },
  insights: { method: 'GET', path: '/embed/insights/:account/:id/', need: 'video-token', rate: { none: 'playing' }, reads: 'film' },
  /** The script of the page that a frame shows when its token is not taken. */
  embedRefused: { method: 'GET', path: '/embed/refused.js', need: 'guest', rate: { none: 'small' }, reads: 'nothing' },
  /** Takes a fresh video token in the Authorization header and renews the stream cookie. */
  mediaSession: { method: 'POST', path: '/media/:id/session', need: 'video-token', rate: { none: 'playing' }, reads: 'nothing' },
  /** Whether the stream's cookie opens the film at this moment, for a proxy that keeps its segments: 204, with the version that they are of. */
  mediaVerdict: { method: 'GET', path: '/media/:id/verdict', need: 'media-cookie', rate: { none: 'playing' }, reads: 'nothing' },
  /** Renews the cookie by which a content delivery network hands out the film's segments for ten seconds; 204. */
  cdnCookie: { method: 'POST', path: '/media/:id/cdn-cookie', need: 'media-cookie', rate: { none: 'playing' }, reads: 'nothing' },
  media: { method: 'GET', path: '/media/:id/*', need: 'media-cookie', rate: { none: 'playing' }, reads: 'film' },
  /** The poster of a processed video for who has no token to show: previews of links, feed readers. */
  poster: { method: 'GET', path: '/posters/:id.jpg', need: 'guest', rate: 'thumbnails', reads: 'titles' },
  /** The newest videos, for feed readers. */
  feed: { method: 'GET', path: '/feed.xml', need: 'guest', rate: 'search', reads: 'titles' },

  healthz: { method: 'GET', path: '/healthz', need: 'guest', rate: { none: 'watchdog' }, reads: 'nothing' },
  readyz: { method: 'GET', path: '/readyz', need: 'guest', rate: { none: 'watchdog' }, reads: 'nothing' },
  /** How the archive stands, in the text format of Prometheus. */
  metrics: { method: 'GET', path: '/metrics', need: 'operator', rate: { none: 'watchdog' }, reads: 'health' },
  robots: { method: 'GET', path: '/robots.txt', need: 'guest', rate: { none: 'small' }, reads: 'nothing' },
  openSearch: { method: 'GET', path: '/opensearch.xml', need: 'guest', rate: { none: 'small' }, reads: 'nothing' },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
