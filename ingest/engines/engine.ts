/*
 * What recognises texts, faces, labels and voices in films. engines lists those that there are; each runs its model in a child of its own (…-child).
 */
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { z } from 'zod';
import { sha256OfFile } from '#domain/files/sha256.ts';
import { StepFailure } from '../step-failure.ts';

/** What recognises something in films: a model with the program that runs it. */
export interface Engine {
  /** As moments and people are told of it. */
  readonly name: string;
  readonly version: string;
  /** Of its model; null where it is not stated. */
  readonly licence: string | null;
  /** Where it comes from: a package, a project. */
  readonly source: string;
  /** What it was found to be good at, with its figures. */
  readonly goodAt: string;
  readonly models: readonly ModelFile[];
  /** What runs the models, where that is a package that some machines have no program of. */
  readonly runtime?: 'onnxruntime-node';
}

/** An engine as an archive has it. */
export interface EngineAtHand {
  readonly engine: Engine;
  /** The step that it works for, by its name. */
  readonly step: string;
  /** Why it is not used, and what an administrator does about it: a sentence each. */
  readonly off?: { readonly reason: string; readonly whatToDo: string };
}

/** What a step's result says of the engine that it was found with: films of an older one are told by it. */
export const EngineUsed = z.object({ engine: z.string(), engineVersion: z.string() });

/** An engine, as results say it. */
export function toEngineUsed({ name, version }: Pick<Engine, 'name' | 'version'>): z.infer<typeof EngineUsed> {
  return { engine: name, engineVersion: version };
}

/** A file that an engine cannot do without. */
interface ModelFile {
  readonly path: string;
  readonly sha256: string;
}

/**
 * Makes sure that an engine can run here, and that its files are here and are what they should be; a file that has not changed since is not read again. Throws a
 * StepFailure that says which is missing or broken: then the step is skipped.
 */
export async function checkModels({ name, models, runtime }: Pick<Engine, 'name' | 'models' | 'runtime'>): Promise<void> {
  if (runtime && !hasProgram(runtime)) throw makeUnusableFailure(name, `${runtime} has no build for this machine`);
  for (const { path, sha256 } of models) {
    const found = await checksumOf(path);
    if (found === undefined) throw makeUnusableFailure(name, `its file ${basename(path)} is missing`);
    if (found !== sha256) throw makeUnusableFailure(name, `its file ${basename(path)} is damaged: its checksum is wrong`);
  }
}

function hasProgram(runtime: NonNullable<Engine['runtime']>): boolean {
  const { platform, arch } = process;
  try {
    createRequire(import.meta.url).resolve(`${runtime}/bin/napi-v6/${platform}/${arch}/onnxruntime_binding.node`);
    return true;
  } catch {
    return false;
  }
}

const checksums = new Map<string, { readonly state: string; readonly sha256: string }>();

/** The SHA-256 of a file, which is read again only when it has changed; undefined where there is no such file. */
export async function checksumOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const state = `${found.size} ${found.mtimeMs}`;
  const known = checksums.get(path);
  if (known?.state === state) return known.sha256;
  const sha256 = await sha256OfFile(path);
  checksums.set(path, { state, sha256 });
  return sha256;
}

function makeUnusableFailure(name: string, why: string): StepFailure {
  return new StepFailure({ is: 'tool-missing' }, `${name} cannot be used: ${why}.`);
}
