import { z } from 'zod';

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
