import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeBehind } from '../db/write-behind.ts';
import { writeWhole } from '../system/durable-file.ts';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import type { IndexCopy } from './index-copy.ts';
import {
  type Content,
  hashesOf,
  type IndexList,
  keepHeldList,
  LostIndexFile,
  noList,
  readBlock,
  readHeldList,
  readIndexList,
  type WordStretch,
} from './index-list.ts';
import { type IndexState, indexDraftsPathIn, rowWordsPathIn } from './index-state.ts';
import { sha256Of, sha256OfFile } from './sha256.ts';
import type { FileStore } from './store.ts';
import { toIndexKey } from './store-key.ts';
import { sweepFolder } from './sweep.ts';

const fetchesAtOnce = 4;
const draftLeftAfterMs = 60 * 60 * 1_000;

export interface Fetched {
  readonly list: IndexList;
  /** How many files and stretches of words this machine lacked, or had otherwise. */
  readonly count: number;
  /** Files that this machine noted for an earlier state and that this one is not made of. */
  readonly outdated: readonly string[];
}

/**
 * Brings every file of `state` here that this machine lacks, whole and with the hash that it should have; what searches read meanwhile
 * is not touched. It may be ended at any moment, and begun again. What was noted as held is believed, unless the copy `isSuspect`: then
 * every file is read and compared. Throws `LostIndexFile` when the store does not hold what it should.
 */
export async function fetchIndex(copy: IndexCopy, state: IndexState, { isSuspect }: { readonly isSuspect: boolean }): Promise<Fetched> {
  const { folder, store } = copy;
  const list = await readIndexList(copy, state);
  if (!store) return { list, count: 0, outdated: [] };
  await mkdir(indexDraftsPathIn(folder), { recursive: true });
  await sweepFolder(indexDraftsPathIn(folder), Date.now() - draftLeftAfterMs);
  const noted = await readHeldList(folder, state);
  const held = isSuspect ? noList : noted;
  const lacking: { path: string; content: Content }[] = [];
  for (const [name, content] of Object.entries(list.files)) {
    const path = join(folder, state.generation, name);
    if (!(await holdsFile(path, content, held.files[name]))) lacking.push({ path, content });
  }
  const here = locateBlocks(folder, state, held);
  const fetching = writeBehind({ atOnce: fetchesAtOnce });
  for (const { path, content } of lacking) {
    await fetching.begin(() => fetchFile({ folder, store, state, here }, content, path));
  }
  await fetching.end();
  const count = lacking.length + (await fetchWords({ folder, store, state }, list.words, held.words));
  return { list, count, outdated: Object.keys(noted.files).filter((name) => list.files[name] === undefined) };
}

async function holdsFile(path: string, content: Content, held: Content | undefined): Promise<boolean> {
  const found = await stat(path).catch(ignoreAbsent);
  if (found?.size !== content.sizeBytes) return false;
  // A writer of this machine may have made it, and been ended before it noted that.
  return held?.sha256 === content.sha256 || (await sha256OfFile(path)) === content.sha256;
}

interface Block {
  readonly path: string;
  readonly content: Content;
  readonly n: number;
}

/** Where the blocks lie that this machine noted as held, by their hashes. What is no block may be long, and comes from the store. */
function locateBlocks(folder: string, { generation }: IndexState, held: IndexList): ReadonlyMap<string, Block> {
  const blocks = new Map<string, Block>();
  for (const [name, content] of Object.entries(held.files))
    for (const [n, sha256] of content.blocks?.sha256s.entries() ?? [])
      blocks.set(sha256, { path: join(folder, generation, name), content, n });
  return blocks;
}

interface Source {
  readonly folder: string;
  readonly store: FileStore;
  readonly state: IndexState;
  readonly here: ReadonlyMap<string, Block>;
}

/** Puts a file together of what lies here in other files, and of what comes from the store. */
async function fetchFile(source: Source, content: Content, path: string): Promise<void> {
  const draft = join(indexDraftsPathIn(source.folder), randomUUID());
  try {
    const hash = createHash('sha256');
    {
      await using file = await open(draft, 'wx');
      for (const sha256 of hashesOf(content)) {
        for await (const chunk of bytesOf(source, sha256)) {
          hash.update(chunk);
          await file.writeFile(chunk);
        }
      }
      if (hash.digest('hex') !== content.sha256) throw new LostIndexFile(toIndexKey(source.state.generation, content.sha256));
      await file.sync();
    }
    await mkdir(dirname(path), { recursive: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function* bytesOf({ store, state, here }: Source, sha256: string): AsyncGenerator<Uint8Array> {
  const block = here.get(sha256);
  const bytes = block ? await readBlock(block.path, block.content, block.n).catch(ignoreAbsent) : null;
  if (bytes && sha256Of(bytes) === sha256) return yield bytes;
  const key = toIndexKey(state.generation, sha256);
  const found = await store.openRange(key);
  if (!found) throw new LostIndexFile(key);
  yield* found.stream();
}

/** Puts the stretches of words in their places: those that searches read stay what they are. */
async function fetchWords(
  { folder, store, state }: { folder: string; store: FileStore; state: IndexState },
  stretches: readonly WordStretch[],
  held: readonly WordStretch[],
): Promise<number> {
  const path = rowWordsPathIn(folder, state);
  await mkdir(dirname(path), { recursive: true });
  await (await open(path, 'a')).close();
  await using file = await open(path, 'r+');
  const { size } = await file.stat();
  let count = 0;
  for (const { start, end, sha256 } of stretches) {
    const isNoted = held.some((one) => one.start === start && one.sha256 === sha256);
    if (end <= size && (isNoted || (await sha256OfStretch(file, start, end)) === sha256)) continue;
    const key = toIndexKey(state.generation, sha256);
    const bytes = await (await store.openRange(key))?.bytes();
    if (bytes?.length !== end - start || sha256Of(bytes) !== sha256) throw new LostIndexFile(key);
    await writeWhole(file, bytes, start);
    count += 1;
  }
  if (count > 0) await file.datasync();
  return count;
}

async function sha256OfStretch(file: Awaited<ReturnType<typeof open>>, start: number, end: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  return sha256Of(buffer.subarray(0, bytesRead));
}

/** Since when files are outdated, by their paths. */
const outdatedSince = new Map<string, number>();

/**
 * Notes that this machine has what was fetched, now that searches read by it, and removes what has been outdated long enough. That was
 * found before: a writer of this machine may have gone on meanwhile, and noted files that `state` knows nothing of.
 */
export async function leaveOldFiles(copy: IndexCopy, state: IndexState, { list, outdated }: Fetched): Promise<void> {
  const { folder, outdatedLeftAfterMs = 60_000 } = copy;
  await keepHeldList(folder, state, list);
  const here = join(folder, state.generation);
  const nowMs = Date.now();
  for (const name of outdated) outdatedSince.set(join(here, name), nowMs);
  for (const name of Object.keys(list.files)) outdatedSince.delete(join(here, name));
  for (const [path, sinceMs] of outdatedSince) {
    if (nowMs < sinceMs + outdatedLeftAfterMs) continue;
    outdatedSince.delete(path);
    await rm(path, { force: true });
  }
}
