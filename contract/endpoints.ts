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
  session: endpoint(routes.session, nothing, Session),
  signOut: endpoint(routes.signOut, nothing, nothing),
  sendSignInLink: endpoint(routes.sendSignInLink, SendSignInLinkInput, nothing),
  signInLink: endpoint(routes.signInLink, SignInLinkInput, nothing),
  userBearer: endpoint(routes.userBearer, nothing, UserBearer),

  account: endpoint(routes.account, nothing, Account),
  setOwnNote: endpoint(routes.setOwnNote, SetOwnNoteInput, nothing),
  endOwnSession: endpoint(routes.endOwnSession, EndOwnSessionInput, nothing),
  signOutEverywhere: endpoint(routes.signOutEverywhere, nothing, nothing),
  makeKey: endpoint(routes.makeKey, MakeKeyInput, NewKey),
  revokeKey: endpoint(routes.revokeKey, RevokeKeyInput, nothing),
  deleteOwnAccount: endpoint(routes.deleteOwnAccount, nothing, nothing),

  listUsers: endpoint(routes.listUsers, ListUsersInput, UserPage),
  readUser: endpoint(routes.readUser, UserByUid, UserRow),
  setOwnName: endpoint(routes.setOwnName, SetOwnNameInput, UserRow),
  setRole: endpoint(routes.setRole, SetRoleInput, UserRow),
  deleteUser: endpoint(routes.deleteUser, UserByUid, nothing),
  listActivity: endpoint(routes.listActivity, ListActivityInput, ActivityPage),
  attention: endpoint(routes.attention, nothing, Attention),
  backupState: endpoint(routes.backupState, nothing, BackupState),
  archiveStatus: endpoint(routes.archiveStatus, nothing, ArchiveStatus),
  checkAccess: endpoint(routes.checkAccess, nothing, AccessCheck),
  listEngines: endpoint(routes.listEngines, nothing, Engines),
  setRecognition: endpoint(routes.setRecognition, SetRecognitionInput, StepRuns),
  readAgain: endpoint(routes.readAgain, ReadAgainInput, StepRuns),
  fetchModel: endpoint(routes.fetchModel, NamedModel, nothing),
  letModelGo: endpoint(routes.letModelGo, NamedModel, nothing),
  hideRoughSpeech: endpoint(routes.hideRoughSpeech, HideRoughSpeechInput, StepRuns),

  accountToken: endpoint(routes.accountToken, nothing, AccessToken),
  videoToken: endpoint(routes.videoToken, VideoById, AccessToken),

  accountTokenByKey: endpoint(routes.accountTokenByKey, TokenByKeyInput, z.string()),
  videoTokenByKey: endpoint(routes.videoTokenByKey, VideoTokenByKeyInput, z.string()),
  deleteVideo: endpoint(routes.deleteVideo, ChangeVideoInput, nothing),
  reindexVideo: endpoint(routes.reindexVideo, ChangeVideoInput, nothing),
  renameFace: endpoint(routes.renameFace, RenameFaceInput, nothing),

  searchVideos: endpoint(routes.searchVideos, SearchVideosInput, SearchResponse),
  searchFacets: endpoint(routes.searchFacets, SearchVideosInput, SearchFacets),
  listVideos: endpoint(routes.listVideos, ListVideosInput, SearchResponse),
  idByExternalId: endpoint(routes.idByExternalId, IdByExternalIdInput, z.string()),
  partnerSearch: endpoint(routes.partnerSearch, PartnerSearchInput, SearchResponse),
  searchExamples: endpoint(routes.searchExamples, nothing, SearchExamples),
  searchOpened: endpoint(routes.searchOpened, SearchOpenedInput, nothing),
  listUnfound: endpoint(routes.listUnfound, ListUnfoundInput, UnfoundPage),
  dismissUnfound: endpoint(routes.dismissUnfound, DismissUnfoundInput, nothing),

  brandList: endpoint(routes.brandList, nothing, BrandList),
  replaceBrands: endpoint(routes.replaceBrands, ReplaceBrandsInput, BrandsReplaced),

  incoming: endpoint(routes.incoming, IncomingInput, Incoming),
  sameFootage: endpoint(routes.sameFootage, SameFootageInput, SameFootage),
  previewExistingWork: endpoint(routes.previewExistingWork, ExistingWorkInput, ExistingWorkPreview),
  takeExistingWork: endpoint(routes.takeExistingWork, ExistingWorkInput, ExistingWorkTaken),
  finishUpload: endpoint(routes.finishUpload, FinishUploadInput, FinishedUpload),

  filmFacts: endpoint(routes.filmFacts, VideoById, FilmFacts),
  filmVisibility: endpoint(routes.filmVisibility, VideoById, FilmVisibility),
  setVisibility: endpoint(routes.setVisibility, SetVisibilityInput, FilmVisibility),
  listKeptBack: endpoint(routes.listKeptBack, ListWithheldInput, FilmsKeptBack),
  deleteFilm: endpoint(routes.deleteFilm, DeleteFilmInput, nothing),
  listDeletions: endpoint(routes.listDeletions, ListWithheldInput, DeletedFilms),
  restoreFilm: endpoint(routes.restoreFilm, VideoById, nothing),
  eraseFilm: endpoint(routes.eraseFilm, EraseFilmInput, nothing),
  retryVideo: endpoint(routes.retryVideo, VideoById, nothing),
  listFilms: endpoint(routes.listFilms, ListFilmsInput, FilmsOnDesk),
  findLines: endpoint(routes.findLines, FindLinesInput, FoundLines),
  filmRevision: endpoint(routes.filmRevision, VideoById, FilmRevision),
  choosePoster: endpoint(routes.choosePoster, ChoosePosterInput, nothing),
  listCorrections: endpoint(routes.listCorrections, VideoById, CorrectionList),
  correctFact: endpoint(routes.correctFact, CorrectFactInput, CorrectedFacts),
  correctName: endpoint(routes.correctName, CorrectNameInput, CorrectedNames),
  listLines: endpoint(routes.listLines, VideoById, LineList),
  correctLines: endpoint(routes.correctLines, CorrectLinesInput, CorrectedLines),
  previewDetails: endpoint(routes.previewDetails, PreviewDetailsInput, DetailsPreview),
  replaceLines: endpoint(routes.replaceLines, ReplaceLinesInput, ReplacedLines),
  undoCorrection: endpoint(routes.undoCorrection, UndoCorrectionInput, NameOfVideo),
  listFaces: endpoint(routes.listFaces, VideoById, FaceList),
  namePerson: endpoint(routes.namePerson, NamePersonInput, NameOfPerson),
  mergeFaces: endpoint(routes.mergeFaces, MergeFacesInput, MergedFaces),
  forgetName: endpoint(routes.forgetName, ForgetNameInput, ForgottenPerson),
  forgetPerson: endpoint(routes.forgetPerson, ForgetPersonInput, ForgottenPerson),
  listSteps: endpoint(routes.listSteps, VideoById, VideoSteps),
  runStep: endpoint(routes.runStep, StepInput, nothing),
  skipStep: endpoint(routes.skipStep, StepInput, nothing),
  cancelStep: endpoint(routes.cancelStep, StepInput, nothing),
  runStepForAll: endpoint(routes.runStepForAll, StepForAllInput, StepRuns),
  videoIndex: endpoint(routes.videoIndex, VideoIndexInput, VideoIndex),
  filmMatches: endpoint(routes.filmMatches, FilmMatchesInput, FilmMatches),
  linesAround: endpoint(routes.linesAround, LinesAroundInput, LinesAround),
  // A row that stands under another one's name does not compile.
} as const satisfies { readonly [N in RouteName]?: (typeof routes)[N] & Schemas };

function endpoint<R extends Route, I extends z.ZodType, O extends z.ZodType>(route: R, input: I, output: O): R & Schemas<I, O> {
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
