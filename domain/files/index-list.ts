import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import { parseJson } from '../system/parse-json.ts';
import type { IndexCopy } from './index-copy.ts';
import { type IndexState, indexDraftsPathIn } from './index-state.ts';
import { readStored } from './read-stored.ts';
import { Sha256, sha256Of } from './sha256.ts';
import { toIndexKey } from './store-key.ts';

const Content = z.object({
  sha256: Sha256,
  sizeBytes: z.number().int(),
  /** How a longer file lies in the store: cut into blocks of one length, but for the last. A shorter one lies there as it is. */
  blocks: z.object({ lengthBytes: z.number().int().positive(), sha256s: z.array(Sha256) }).optional(),
});
export type Content = z.infer<typeof Content>;

/** The hashes under which a file lies in the store. */
export function hashesOf({ sha256, blocks }: Content): readonly string[] {
  return blocks?.sha256s ?? [sha256];
}

/** Everything that one state of the index is made of. Each content lies in the store under its own hash, and is never changed there. */
export const IndexList = z.object({
  /** Files of the tables, by their paths below the generation. */
  files: z.record(z.string(), Content),
  /** The file of the rows' words, which only grows, in stretches behind one another. */
  words: z.array(z.object({ start: z.number().int(), end: z.number().int(), sha256: Sha256 })),
});
export type IndexList = z.infer<typeof IndexList>;
export type WordStretch = IndexList['words'][number];

export const noList: IndexList = { files: {}, words: [] };

/** What the store should hold for the index is not there, or is something else: only building the index anew helps. */
export class LostIndexFile extends Error {
  constructor(key: string) {
    super(`The store does not hold ${key} of the search index as it was put.`);
  }
}

/** The files of a state, by the store; its list is kept here when it came. Throws `LostIndexFile`. */
export async function readIndexList({ folder, store }: IndexCopy, state: IndexState): Promise<IndexList> {
  if (!store || state.files === null) return noList;
  const held = await readFile(listPath(folder, state), 'utf8').catch(ignoreAbsent);
  if (held !== null && sha256Of(held) === state.files) return IndexList.parse(JSON.parse(held));
  const key = toIndexKey(state.generation, state.files);
  const bytes = await readStored(store, key);
  if (!bytes || sha256Of(bytes) !== state.files) throw new LostIndexFile(key);
  return IndexList.parse(JSON.parse(String(bytes)));
}

/** What this machine noted last of what it has of a generation; nothing when it noted nothing that can be read. */
export async function readHeldList(folder: string, state: Pick<IndexState, 'generation'>): Promise<IndexList> {
  const text = await readFile(listPath(folder, state), 'utf8').catch(ignoreAbsent);
  return IndexList.safeParse(parseJson(text ?? '')).data ?? noList;
}

/** Notes that everything in `list` lies here. */
export async function keepHeldList(folder: string, state: Pick<IndexState, 'generation'>, list: IndexList): Promise<void> {
  const draft = join(indexDraftsPathIn(folder), randomUUID());
  await mkdir(indexDraftsPathIn(folder), { recursive: true });
  await writeFile(draft, toListText(list));
  await rename(draft, listPath(folder, state));
}

/** A list as it is put and hashed. */
export function toListText(list: IndexList): string {
  return JSON.stringify(list);
}

function listPath(folder: string, { generation }: Pick<IndexState, 'generation'>): string {
  return join(folder, generation, 'list.json');
}

/** The n-th block of a file of this machine; shorter than the others where the file ends. */
export async function readBlock(path: string, { sizeBytes, blocks }: Pick<Content, 'sizeBytes' | 'blocks'>, n: number): Promise<Buffer> {
  const length = blocks?.lengthBytes ?? sizeBytes;
  await using file = await open(path, 'r');
  const bytes = Buffer.alloc(Math.min(length, sizeBytes - n * length));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, n * length);
  return bytes.subarray(0, bytesRead);
}
