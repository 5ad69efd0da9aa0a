import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
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
}

/** A file that an engine cannot do without. */
interface ModelFile {
  readonly path: string;
  readonly sha256: string;
}

const checked = new Set<string>();

/**
 * Makes sure that an engine's files are here and are what they should be; a file that has not changed since is not read again. Throws a
 * StepFailure that says which is missing or broken: then the step is skipped.
 */
export async function checkModels({ name, models }: Pick<Engine, 'name' | 'models'>): Promise<void> {
  for (const { path, sha256 } of models) {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw unusable(name, `its file ${basename(path)} is missing`);
    const state = `${path} ${found.size} ${found.mtimeMs} ${sha256}`;
    if (checked.has(state)) continue;
    if ((await sha256OfFile(path)) !== sha256) throw unusable(name, `its file ${basename(path)} is broken: it has another checksum`);
    checked.add(state);
  }
}

function unusable(name: string, why: string): StepFailure {
  return new StepFailure({ is: 'tool-missing' }, `${name} cannot be used: ${why}.`);
}
