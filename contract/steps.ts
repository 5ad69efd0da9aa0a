import { z } from 'zod';
import { limits, serverLimits } from './limits.ts';
import { wholeNumberBetween } from './paging-input.ts';
import { VideoState } from './video-service/answers.ts';

/** A step of what is done with a film, and how far it has come. */
export const StepOfVideo = z.object({
  name: z.string(),
  /** What makes a film playable goes before what understands it. */
  class: z.enum(['playable', 'understood']),
  /** Whether the film can do without it. */
  optional: z.boolean(),
  state: z.enum(['waiting', 'running', 'done', 'skipped', 'failed']),
  /** Of the step, when it was done with this film; 0 where it never was. */
  version: z.number().int(),
  /** What it is by now: a lower `version` could be done again. */
  newestVersion: z.number().int(),
  /** Of a running step. */
  percent: z.number().int().nullable(),
  /** Seconds of film in a second, of a running step that has come anywhere. */
  speed: z.number().nullable(),
  secondsLeft: z.number().int().nullable(),
  /** How often it was begun since it was last asked for. */
  attempts: z.number().int(),
  /** Why it was skipped, has failed or waits; or a remark. A sentence. */
  message: z.string().nullable(),
  /** What stands behind a failure, as the tool said it. */
  details: z.string().nullable(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
});
export type StepOfVideo = z.infer<typeof StepOfVideo>;

export const VideoSteps = z.object({ steps: z.array(StepOfVideo) });

/** A film that came in as a file, and what is done with it. */
export const FilmUnderWay = z.object({
  id: z.string(),
  name: z.string(),
  /** What its file was called. */
  fileName: z.string(),
  sizeBytes: z.number(),
  /** 0 before it is known. */
  durationInSeconds: z.number(),
  state: VideoState,
  /** Why it could not be taken; a sentence. */
  failureMessage: z.string().nullable(),
  createdAt: z.iso.datetime(),
  publishedAt: z.iso.datetime().nullable(),
  /** Whether search has seen it as it is now. */
  isIndexed: z.boolean(),
  steps: z.array(StepOfVideo),
});
export type FilmUnderWay = z.infer<typeof FilmUnderWay>;

/** A file of the watched folder that is no film: refused until it changes, or waiting for something. */
export const LeftOutFile = z.object({
  id: z.string(),
  fileName: z.string(),
  sizeBytes: z.number(),
  state: z.enum(['refused', 'waiting']),
  /** Why; a sentence. */
  message: z.string(),
  at: z.iso.datetime(),
});
export type LeftOutFile = z.infer<typeof LeftOutFile>;

const uploadId = z.string().regex(/^[0-9a-f]{32}$/, 'must be the id of an upload');
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256');

/** How many films at most. */
export const IncomingInput = z.strictObject({
  films: wholeNumberBetween({ min: 1, max: limits.filmsUnderWayMax }).default(limits.filmsUnderWay),
});

/** What is on its way in: somebody's uploads that have not ended, what there is room for, films, and what the watched folder has beside films. */
export const Incoming = z.object({
  limits: z.object({
    fileMaxBytes: z.number(),
    /** Of what somebody may have half-way at once, this much is left. */
    quotaLeftBytes: z.number(),
    /** Of what originals may come to, this much is left: of the archive, and of those that this person added; null where nothing bounds it. */
    originalsLeftBytes: z.object({ archive: z.number().nullable(), own: z.number().nullable() }),
    /** Of the archive's disk, without what others have begun to send. */
    freeBytes: z.number(),
  }),
  unfinished: z.array(
    z.object({
      id: z.string(),
      fileName: z.string(),
      sizeBytes: z.number(),
      receivedBytes: z.number(),
      /** SHA-256 of its beginning and end. */
      ends: z.string(),
      /** The film whose file it takes the place of. */
      replaces: z.string().nullable(),
    }),
  ),
  /** Those that failed or of which a step did first, then those with a step under way, with one that waits, and the others; of each the newest first. */
  films: z.array(FilmUnderWay),
  /** Of all films, shown or not; the others are ready. */
  counts: z.object({ films: z.number().int(), needAttention: z.number().int(), underWay: z.number().int() }),
  leftOut: z.array(LeftOutFile),
});
export type Incoming = z.infer<typeof Incoming>;

/** By what a file is known again: its size in bytes, and the SHA-256 of its first and its last `endPieceBytes`. */
export const SameFootageInput = z.strictObject({
  sizeBytes: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number),
  ends: Sha256,
});

/** The film that most likely is the same; one that is deleted can be brought back. */
export const SameFootage = z.object({ video: z.object({ id: z.string(), name: z.string(), isDeleted: z.boolean() }).nullable() });

/** The whole file's SHA-256 as it was read, and the uploads of what lay beside it. */
export const FinishUploadInput = z.strictObject({
  upload: uploadId,
  sha256: Sha256,
  sidecars: z.array(uploadId).max(serverLimits.sidecarsPerUploadMax),
});

/** Of a film that was added, or that the archive held already; `checking` says: ask again. */
export const FinishedUpload = z.object({
  state: z.enum(['checking', 'added', 'known']),
  videoId: z.string().nullable(),
  /** What became of what came with a film that was known, in sentences. */
  remarks: z.array(z.string()),
});

/** One step of one film. */
export const StepInput = z.strictObject({ id: z.string(), step: z.string().max(serverLimits.stepNameMaxCharacters) });

/** A step for every film that it was done with below a version, or never. */
export const StepForAllInput = z.strictObject({
  step: z.string().max(serverLimits.stepNameMaxCharacters),
  belowVersion: z.number().int().min(1).max(serverLimits.stepVersionMax),
});

/** On how many films a step is done again. */
export const StepRuns = z.object({ films: z.number().int() });

/** What recognises something in films, as the worker that started last has it. */
export const Engine = z.object({
  name: z.string(),
  version: z.string(),
  /** The step that it works for. */
  step: z.string(),
  /** Of its model; null where it is not stated. */
  licence: z.string().nullable(),
  source: z.string(),
  goodAt: z.string(),
  /** Names of its model files. */
  models: z.array(z.string()),
  /** Why it is not used, and what to do about it; null for one that is used. */
  off: z.object({ reason: z.string(), whatToDo: z.string() }).nullable(),
  filmsRead: z.number().int(),
  /** Films that another engine of this step has read, or an older version of it or of the step. */
  filmsOlder: z.number().int(),
  /** Films that had no engine when they came, or that are older than the step. */
  filmsUnread: z.number().int(),
});
export type Engine = z.infer<typeof Engine>;

/** A model that can be fetched. */
export const EngineModel = z.object({
  name: z.string(),
  bytes: z.number().int(),
  licence: z.string(),
  source: z.string(),
  goodAt: z.string(),
  state: z.enum(['absent', 'asked', 'fetching', 'here', 'failed']),
  fetchedBytes: z.number().int(),
  /** Why it could not be fetched. */
  message: z.string().nullable(),
});
export type EngineModel = z.infer<typeof EngineModel>;

/** What a recogniser heard that gets most words wrong, and nobody has looked at. */
export const RoughSpeech = z.object({ isHidden: z.boolean(), films: z.number().int() });
export type RoughSpeech = z.infer<typeof RoughSpeech>;

/** Whether rough speech is shown; what films say follows in the background. */
export const HideRoughSpeechInput = z.strictObject({ isHidden: z.boolean() });

/** Whether people are recognised across films. */
export const Recognition = z.object({
  isOn: z.boolean(),
  /** Who turned it on; empty for somebody who is gone. */
  by: z.string(),
  since: z.iso.datetime().nullable(),
  /** Of how many named faces what tells them apart is kept. */
  faces: z.number().int(),
});
export type Recognition = z.infer<typeof Recognition>;

export const SetRecognitionInput = z.strictObject({ isOn: z.boolean() });

/** Without engines and models before a worker has ever been there. */
export const Engines = z.object({
  engines: z.array(Engine),
  models: z.array(EngineModel),
  roughSpeech: RoughSpeech,
  recognition: Recognition,
});
export type Engines = z.infer<typeof Engines>;

export const ReadAgainInput = z.strictObject({ engine: z.string().max(serverLimits.engineNameMaxCharacters) });

export const NamedModel = z.strictObject({ model: z.string().max(serverLimits.modelNameMaxCharacters) });

/** The brands that films are looked through for: one a line. */
export const BrandList = z.object({
  list: z.string(),
  /** Another one whenever the list is. */
  version: z.string(),
  /** What it was before each of the last changes, the latest first; by the name of who changed it, empty for somebody who is gone. */
  before: z.array(z.object({ list: z.string(), by: z.string(), at: z.iso.datetime() })),
});
export type BrandList = z.infer<typeof BrandList>;

/** Another list; `replaces` is the version that the editor saw. */
export const ReplaceBrandsInput = z.strictObject({
  list: z.string().max(2 * limits.brandListMaxCharacters),
  replaces: z.string().max(serverLimits.brandListVersionMaxCharacters),
});

/** The list as it is kept, and how many films are looked through again. */
export const BrandsReplaced = BrandList.extend({ films: z.number().int() });
