import { z } from 'zod';
import { limits } from './limits.ts';

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

/** One step of one film. */
export const StepInput = z.strictObject({ id: z.string(), step: z.string().max(100) });

/** A step for every film that it was done with below a version, or never. */
export const StepForAllInput = z.strictObject({ step: z.string().max(100), belowVersion: z.number().int().min(1).max(1_000_000) });

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

/** Empty before a worker has ever been there. */
export const Engines = z.object({ engines: z.array(Engine), models: z.array(EngineModel) });
export type Engines = z.infer<typeof Engines>;

export const ReadAgainInput = z.strictObject({ engine: z.string().max(200) });

export const FetchModelInput = z.strictObject({ model: z.string().max(100) });

/** The brands that films are looked through for: one a line. */
export const BrandList = z.object({
  list: z.string(),
  /** Another one whenever the list is. */
  version: z.string(),
});

/** Another list; `replaces` is the version that the editor saw. */
export const ReplaceBrandsInput = z.strictObject({ list: z.string().max(2 * limits.brandListMaxCharacters), replaces: z.string().max(64) });

/** The list as it is kept, and how many films are looked through again. */
export const BrandsReplaced = BrandList.extend({ films: z.number().int() });
