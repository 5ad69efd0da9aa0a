import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Which tables make up the search index at this moment. Replaced as a whole, so that a reader never sees half a change. */
export const IndexState = z.object({
  format: z.number().int(),
  /** Folder of the tables, below the index folder. */
  generation: z.string().regex(/^[0-9a-z-]+$/),
  /** Last batch of which something is found. */
  batch: z.number().int(),
  /** Last batch that stands in the main tables; later ones stand in the recent ones. */
  mainBatch: z.number().int(),
  mainRows: z.number().int(),
  recentRows: z.number().int(),
  /** Suffix of the recent tables' names. */
  recent: z.number().int(),
});
export type IndexState = z.infer<typeof IndexState>;

const stateFile = 'current.json';
const damageFile = 'damaged';
const filesFile = 'files.json';

/** The state of the index under `folder`; null when there is none or it cannot be read. */
export async function readIndexState(folder: string): Promise<IndexState | null> {
  try {
    return IndexState.parse(JSON.parse(await readFile(join(folder, stateFile), 'utf8')));
  } catch {
    // Missing and damaged come to the same: the index has to be built.
    return null;
  }
}

/** Makes `state` the one that readers see, and notes the size of every file that belongs to it. */
export async function writeIndexState(folder: string, state: IndexState): Promise<void> {
  await mkdir(folder, { recursive: true });
  const generation = join(folder, state.generation);
  await replaceFile(join(generation, filesFile), JSON.stringify(await fileSizes(generation)));
  await replaceFile(join(folder, stateFile), JSON.stringify(state));
}

/** Whether every file noted with the state is still there in its size. */
export async function indexFilesAreWhole(folder: string, state: IndexState): Promise<boolean> {
  try {
    const generation = join(folder, state.generation);
    const noted = z.record(z.string(), z.number()).parse(JSON.parse(await readFile(join(generation, filesFile), 'utf8')));
    const found = await fileSizes(generation);
    return Object.entries(noted).every(([name, size]) => found[name] === size);
  } catch {
    return false;
  }
}

/** Tells the worker that a search stumbled over the index. */
export async function noteIndexDamage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, damageFile), '');
}

/** Whether a reader has come upon damage in the index that is in use. */
export async function isIndexDamageNoted(folder: string): Promise<boolean> {
  return await stat(join(folder, damageFile)).then(
    () => true,
    () => false,
  );
}

/** Removes every generation but the one in use, and the note of damage. */
export async function sweepIndexFolder(folder: string, state: IndexState): Promise<void> {
  await rm(join(folder, damageFile), { force: true });
  for (const name of await readdir(folder)) {
    if (name !== state.generation && name !== stateFile) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** A folder for tables that nobody reads yet. */
export async function makeGeneration(folder: string): Promise<string> {
  const name = `g-${randomUUID().slice(0, 8)}`;
  await mkdir(join(folder, name), { recursive: true });
  return name;
}

/** Bytes of all files of the index. */
export async function indexBytes(folder: string, state: IndexState): Promise<number> {
  return Object.values(await fileSizes(join(folder, state.generation))).reduce((sum, size) => sum + size, 0);
}

async function fileSizes(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || entry.name === filesFile || entry.name.endsWith('.new')) continue;
    const path = join(entry.parentPath, entry.name);
    sizes[path.slice(folder.length + 1)] = (await stat(path)).size;
  }
  return sizes;
}

async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
