import { z } from 'zod';
import { Account, EndOwnSessionInput, MakeKeyInput, NewKey, RevokeKeyInput, SetOwnNoteInput } from './account.ts';
import { Attention, BackupState } from './archive.ts';
import {
  CorrectedFacts,
  CorrectedLines,
  CorrectedNames,
  CorrectFactInput,
  CorrectionList,
  CorrectLinesInput,
  CorrectNameInput,
  DetailsPreview,
  FaceList,
  ForgetNameInput,
  ForgetPersonInput,
  ForgottenPerson,
  LineList,
  MergedFaces,
  MergeFacesInput,
  NameOfPerson,
  NameOfVideo,
  NamePersonInput,
  PreviewDetailsInput,
  ReplacedLines,
  ReplaceLinesInput,
  UndoCorrectionInput,
} from './corrections.ts';
import {
  ChoosePosterInput,
  DeletedFilms,
  DeleteFilmInput,
  EraseFilmInput,
  ExistingWorkInput,
  ExistingWorkPreview,
  ExistingWorkTaken,
  FilmFacts,
  FilmRevision,
  FilmsKeptBack,
  FilmsOnDesk,
  FilmVisibility,
  FindLinesInput,
  FoundLines,
  ListFilmsInput,
  ListWithheldInput,
  SetVisibilityInput,
} from './films.ts';
import type { Route } from './route.ts';
import { type RouteName, routes } from './routes.ts';
import { SearchExamples, SearchFacets } from './search-facets.ts';
import { AccessToken, SendSignInLinkInput, Session, SignInLinkInput, UserBearer } from './session.ts';
import { AccessCheck, ArchiveStatus } from './status.ts';
import {
  BrandList,
  BrandsReplaced,
  Engines,
  FinishedUpload,
  FinishUploadInput,
  HideRoughSpeechInput,
  Incoming,
  IncomingInput,
  NamedModel,
  ReadAgainInput,
  ReplaceBrandsInput,
  SameFootage,
  SameFootageInput,
  SetRecognitionInput,
  StepForAllInput,
  StepInput,
  StepRuns,
  VideoSteps,
} from './steps.ts';
import { DismissUnfoundInput, ListUnfoundInput, SearchOpenedInput, UnfoundPage } from './unfound.ts';
import { ActivityPage, ListActivityInput, ListUsersInput, SetOwnNameInput, SetRoleInput, UserByUid, UserPage, UserRow } from './users.ts';
import { FilmMatches, LinesAround, SearchResponse, VideoIndex } from './video-service/answers.ts';
import {
  ChangeVideoInput,
  FilmMatchesInput,
  IdByExternalIdInput,
  LinesAroundInput,
  ListVideosInput,
  PartnerSearchInput,
  RenameFaceInput,
  SearchVideosInput,
  TokenByKeyInput,
  VideoById,
  VideoIndexInput,
  VideoTokenByKeyInput,
} from './video-service/input.ts';

const nothing = z.object({});

/** The routes with a typed answer, each under its name of `routes.ts`; all others answer bytes or documents. */
export const endpoints = {
  session: makeEndpoint(routes.session, nothing, Session),
  signOut: makeEndpoint(routes.signOut, nothing, nothing),
  sendSignInLink: makeEndpoint(routes.sendSignInLink, SendSignInLinkInput, nothing),
  signInLink: makeEndpoint(routes.signInLink, SignInLinkInput, nothing),
  userBearer: makeEndpoint(routes.userBearer, nothing, UserBearer),

  account: makeEndpoint(routes.account, nothing, Account),
  setOwnNote: makeEndpoint(routes.setOwnNote, SetOwnNoteInput, nothing),
  endOwnSession: makeEndpoint(routes.endOwnSession, EndOwnSessionInput, nothing),
  signOutEverywhere: makeEndpoint(routes.signOutEverywhere, nothing, nothing),
  makeKey: makeEndpoint(routes.makeKey, MakeKeyInput, NewKey),
  revokeKey: makeEndpoint(routes.revokeKey, RevokeKeyInput, nothing),
  deleteOwnAccount: makeEndpoint(routes.deleteOwnAccount, nothing, nothing),

  listUsers: makeEndpoint(routes.listUsers, ListUsersInput, UserPage),
  readUser: makeEndpoint(routes.readUser, UserByUid, UserRow),
  setOwnName: makeEndpoint(routes.setOwnName, SetOwnNameInput, UserRow),
  setRole: makeEndpoint(routes.setRole, SetRoleInput, UserRow),
  deleteUser: makeEndpoint(routes.deleteUser, UserByUid, nothing),
  listActivity: makeEndpoint(routes.listActivity, ListActivityInput, ActivityPage),
  attention: makeEndpoint(routes.attention, nothing, Attention),
  backupState: makeEndpoint(routes.backupState, nothing, BackupState),
  archiveStatus: makeEndpoint(routes.archiveStatus, nothing, ArchiveStatus),
  checkAccess: makeEndpoint(routes.checkAccess, nothing, AccessCheck),
  listEngines: makeEndpoint(routes.listEngines, nothing, Engines),
  setRecognition: makeEndpoint(routes.setRecognition, SetRecognitionInput, StepRuns),
  readAgain: makeEndpoint(routes.readAgain, ReadAgainInput, StepRuns),
  fetchModel: makeEndpoint(routes.fetchModel, NamedModel, nothing),
  letModelGo: makeEndpoint(routes.letModelGo, NamedModel, nothing),
  hideRoughSpeech: makeEndpoint(routes.hideRoughSpeech, HideRoughSpeechInput, StepRuns),

  accountToken: makeEndpoint(routes.accountToken, nothing, AccessToken),
  videoToken: makeEndpoint(routes.videoToken, VideoById, AccessToken),

  accountTokenByKey: makeEndpoint(routes.accountTokenByKey, TokenByKeyInput, z.string()),
  videoTokenByKey: makeEndpoint(routes.videoTokenByKey, VideoTokenByKeyInput, z.string()),
  deleteVideo: makeEndpoint(routes.deleteVideo, ChangeVideoInput, nothing),
  reindexVideo: makeEndpoint(routes.reindexVideo, ChangeVideoInput, nothing),
  renameFace: makeEndpoint(routes.renameFace, RenameFaceInput, nothing),

  searchVideos: makeEndpoint(routes.searchVideos, SearchVideosInput, SearchResponse),
  searchFacets: makeEndpoint(routes.searchFacets, SearchVideosInput, SearchFacets),
  listVideos: makeEndpoint(routes.listVideos, ListVideosInput, SearchResponse),
  idByExternalId: makeEndpoint(routes.idByExternalId, IdByExternalIdInput, z.string()),
  partnerSearch: makeEndpoint(routes.partnerSearch, PartnerSearchInput, SearchResponse),
  searchExamples: makeEndpoint(routes.searchExamples, nothing, SearchExamples),
  searchOpened: makeEndpoint(routes.searchOpened, SearchOpenedInput, nothing),
  listUnfound: makeEndpoint(routes.listUnfound, ListUnfoundInput, UnfoundPage),
  dismissUnfound: makeEndpoint(routes.dismissUnfound, DismissUnfoundInput, nothing),

  brandList: makeEndpoint(routes.brandList, nothing, BrandList),
  replaceBrands: makeEndpoint(routes.replaceBrands, ReplaceBrandsInput, BrandsReplaced),

  incoming: makeEndpoint(routes.incoming, IncomingInput, Incoming),
  sameFootage: makeEndpoint(routes.sameFootage, SameFootageInput, SameFootage),
  previewExistingWork: makeEndpoint(routes.previewExistingWork, ExistingWorkInput, ExistingWorkPreview),
  takeExistingWork: makeEndpoint(routes.takeExistingWork, ExistingWorkInput, ExistingWorkTaken),
  finishUpload: makeEndpoint(routes.finishUpload, FinishUploadInput, FinishedUpload),

  filmFacts: makeEndpoint(routes.filmFacts, VideoById, FilmFacts),
  filmVisibility: makeEndpoint(routes.filmVisibility, VideoById, FilmVisibility),
  setVisibility: makeEndpoint(routes.setVisibility, SetVisibilityInput, FilmVisibility),
  listKeptBack: makeEndpoint(routes.listKeptBack, ListWithheldInput, FilmsKeptBack),
  deleteFilm: makeEndpoint(routes.deleteFilm, DeleteFilmInput, nothing),
  listDeletions: makeEndpoint(routes.listDeletions, ListWithheldInput, DeletedFilms),
  restoreFilm: makeEndpoint(routes.restoreFilm, VideoById, nothing),
  eraseFilm: makeEndpoint(routes.eraseFilm, EraseFilmInput, nothing),
  retryVideo: makeEndpoint(routes.retryVideo, VideoById, nothing),
  listFilms: makeEndpoint(routes.listFilms, ListFilmsInput, FilmsOnDesk),
  findLines: makeEndpoint(routes.findLines, FindLinesInput, FoundLines),
  filmRevision: makeEndpoint(routes.filmRevision, VideoById, FilmRevision),
  choosePoster: makeEndpoint(routes.choosePoster, ChoosePosterInput, nothing),
  listCorrections: makeEndpoint(routes.listCorrections, VideoById, CorrectionList),
  correctFact: makeEndpoint(routes.correctFact, CorrectFactInput, CorrectedFacts),
  correctName: makeEndpoint(routes.correctName, CorrectNameInput, CorrectedNames),
  listLines: makeEndpoint(routes.listLines, VideoById, LineList),
  correctLines: makeEndpoint(routes.correctLines, CorrectLinesInput, CorrectedLines),
  previewDetails: makeEndpoint(routes.previewDetails, PreviewDetailsInput, DetailsPreview),
  replaceLines: makeEndpoint(routes.replaceLines, ReplaceLinesInput, ReplacedLines),
  undoCorrection: makeEndpoint(routes.undoCorrection, UndoCorrectionInput, NameOfVideo),
  listFaces: makeEndpoint(routes.listFaces, VideoById, FaceList),
  namePerson: makeEndpoint(routes.namePerson, NamePersonInput, NameOfPerson),
  mergeFaces: makeEndpoint(routes.mergeFaces, MergeFacesInput, MergedFaces),
  forgetName: makeEndpoint(routes.forgetName, ForgetNameInput, ForgottenPerson),
  forgetPerson: makeEndpoint(routes.forgetPerson, ForgetPersonInput, ForgottenPerson),
  listSteps: makeEndpoint(routes.listSteps, VideoById, VideoSteps),
  runStep: makeEndpoint(routes.runStep, StepInput, nothing),
  skipStep: makeEndpoint(routes.skipStep, StepInput, nothing),
  cancelStep: makeEndpoint(routes.cancelStep, StepInput, nothing),
  runStepForAll: makeEndpoint(routes.runStepForAll, StepForAllInput, StepRuns),
  videoIndex: makeEndpoint(routes.videoIndex, VideoIndexInput, VideoIndex),
  filmMatches: makeEndpoint(routes.filmMatches, FilmMatchesInput, FilmMatches),
  linesAround: makeEndpoint(routes.linesAround, LinesAroundInput, LinesAround),
  // A row that stands under another one's name does not compile.
} as const satisfies { readonly [N in RouteName]?: (typeof routes)[N] & Schemas };

function makeEndpoint<R extends Route, I extends z.ZodType, O extends z.ZodType>(route: R, input: I, output: O): R & Schemas<I, O> {
  return { ...route, input, output };
}

/** What goes in and what comes out as JSON. Parameters, query and body are merged into one input, so a name stands in one place only. */
interface Schemas<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly input: I;
  readonly output: O;
}

/** A route with a typed answer. */
export type Endpoint = Route & Schemas;

export type Input<E> = E extends Schemas<infer I, z.ZodType> ? z.input<I> : never;
export type ParsedInput<E> = E extends Schemas<infer I, z.ZodType> ? z.output<I> : never;
export type Output<E> = E extends Schemas<z.ZodType, infer O> ? z.output<O> : never;
