import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Sha256 } from './sha256.ts';

/**
 * Which tables in which versions make up the search index at this moment. The database holds the state that counts; the file
 * `current.json` of a machine is a cache of it, replaced as a whole, so that readers never see half a change. It names only what
 * this machine has.
 */
export const IndexState = z.object({
  format: z.number().int(),
  /** Folder of the tables, below the index folder. */
  generation: z.string().regex(/^[0-9a-z-]+$/),
  /** Number of the last change; every change of the tables raises it. */
  batch: z.number().int(),
  mainRows: z.number().int(),
  recentRows: z.number().int(),
  /** Suffix of the recent tables' names. */
  recent: z.number().int(),
  /** Numbers of the parts that the main tables' postings lie in, the oldest first. */
  parts: z.array(z.number().int()).default([]),
  /** Every table that belongs to it, with the version that is found. */
  versions: z.record(z.string(), z.number().int()),
  /** The file of the rows' words: how many bytes of it count, and how many passages were ever written there. */
  rowWords: z.object({ bytes: z.number().int(), rows: z.number().int() }),
  /** SHA-256 of the list of its files, by which other machines get them from the store; null where the store keeps the tables themselves. */
  files: Sha256.nullable().default(null),
});
export type IndexState = z.infer<typeof IndexState>;

const stateFile = 'current.json';
const damageFile = 'damaged';
const filesFile = 'files.json';
const draftsName = 'drafts';

/** Where files on their way into the index wait until they are whole. */
export function indexDraftsPathIn(folder: string): string {
  return join(folder, draftsName);
}

/** Where the words of the rows stand. */
export function rowWordsPathIn(folder: string, { generation }: Pick<IndexState, 'generation'>): string {
  return join(folder, generation, 'row-words.bin');
}

/** The name of a part of the postings, below its generation. */
export function namePart(number: number): string {
  return `part-${number}.bin`;
}

/** Where a part of the postings stands. */
export function partPathIn(folder: string, { generation }: Pick<IndexState, 'generation'>, number: number): string {
  return join(folder, generation, namePart(number));
}

/** Removes every part of a generation but those of `states`, which are states of it. */
export async function sweepParts(folder: string, generation: string, states: readonly Pick<IndexState, 'parts'>[]): Promise<void> {
  const kept = new Set(states.flatMap(({ parts }) => parts.map(namePart)));
  for (const name of await readdir(join(folder, generation)))
    if (/^part-\d+\.bin$/.test(name) && !kept.has(name)) await rm(join(folder, generation, name), { force: true });
}

/** The state of the index under `folder`; null when there is none or it cannot be read. */
export async function readIndexState(folder: string): Promise<IndexState | null> {
  try {
    return IndexState.parse(JSON.parse(await readFile(join(folder, stateFile), 'utf8')));
  } catch {
    // Missing and damaged come to the same: the index has to be built.
    return null;
  }
}

/** Reads the state under `folder` as often as it is asked for, and its file only when that was replaced. */
export function makeIndexStateReader(folder: string): () => Promise<IndexState | null> {
  let known: { readonly fingerprint: string; readonly state: Promise<IndexState | null> } | undefined;
  return () => {
    const file = statSync(join(folder, stateFile), { bigint: true, throwIfNoEntry: false });
    const fingerprint = file ? `${file.ino} ${file.mtimeNs} ${file.size}` : '';
    if (known?.fingerprint === fingerprint) return known.state;
    const state = readIndexState(folder);
    known = { fingerprint, state };
    // What could not be read a moment ago may be there by now.
    void state.then((found) => {
      if (found === null && known?.state === state) known = undefined;
    });
    return state;
  };
}

/** Makes `state` the one that readers see, and notes the size of every file of its tables. */
export async function writeIndexState(folder: string, state: IndexState): Promise<void> {
  await mkdir(folder, { recursive: true });
  const generation = join(folder, state.generation);
  await replaceFile(join(generation, filesFile), JSON.stringify(await sizesOfTables(folder, state)));
  await replaceIndexState(folder, state);
}

/** Makes `state`, of which every file lies here, the one that readers of this machine see. */
export async function replaceIndexState(folder: string, state: IndexState): Promise<void> {
  const path = join(folder, stateFile);
  // Who writes the index and who follows it may do this at once.
  await replaceFile(path, JSON.stringify(state), `${path}.${randomUUID()}.new`);
}

/** Whether every file that was noted is still there in its size. None are noted while files of older versions are removed. */
export async function hasAllIndexFiles(folder: string, state: IndexState): Promise<boolean> {
  const rowWords = await stat(rowWordsPathIn(folder, state)).catch(() => undefined);
  if ((rowWords?.size ?? -1) < state.rowWords.bytes) return false;
  const text = await readFile(join(folder, state.generation, filesFile), 'utf8').catch(() => undefined);
  if (text === undefined) return true;
  try {
    const noted = z.record(z.string(), z.number()).parse(JSON.parse(text));
    const found = await readFileSizes(join(folder, state.generation));
    return Object.entries(noted).every(([name, size]) => found[name] === size);
  } catch {
    return false;
  }
}

/** To be called before files of older versions go: a writer that is killed meanwhile would leave an index that looks damaged. */
export async function forgetFileSizes(folder: string, state: IndexState): Promise<void> {
  await rm(join(folder, state.generation, filesFile), { force: true });
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

/** Takes back the note of damage: the index that had it is replaced. */
export async function clearIndexDamage(folder: string): Promise<void> {
  await rm(join(folder, damageFile), { force: true });
}

/** Removes every generation but those of `states`. */
export async function sweepIndexFolder(folder: string, ...states: (IndexState | null)[]): Promise<void> {
  const kept = [stateFile, damageFile, draftsName, ...states.map((state) => state?.generation)];
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (!kept.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** A folder for tables that nobody reads yet. */
export async function makeGeneration(folder: string): Promise<string> {
  const name = `g-${randomUUID().slice(0, 8)}`;
  await mkdir(join(folder, name), { recursive: true });
  return name;
}

/** Other tables may go at any time; nobody misses them. */
async function sizesOfTables(folder: string, { generation, versions, parts }: IndexState): Promise<Record<string, number>> {
  const sizes = Object.entries(await readFileSizes(join(folder, generation)));
  const names = new Set(parts.map(namePart));
  const belongs = (name: string) => names.has(name) || Object.keys(versions).some((table) => name.startsWith(`${table}.lance/`));
  return Object.fromEntries(sizes.filter(([name]) => belongs(name)));
}

async function readFileSizes(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || entry.name === filesFile || entry.name.endsWith('.new')) continue;
    const path = join(entry.parentPath, entry.name);
    sizes[path.slice(folder.length + 1)] = (await stat(path)).size;
  }
  return sizes;
}

async function replaceFile(path: string, text: string, draft = `${path}.new`): Promise<void> {
  await writeFile(draft, text);
  await rename(draft, path);
}
