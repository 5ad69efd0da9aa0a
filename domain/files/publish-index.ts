import { createHash } from 'node:crypto';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { writeBehind } from '../db/write-behind.ts';
import type { IndexCopy } from './index-copy.ts';
import { type Content, hashesOf, type IndexList, noList, readBlock, readIndexList, toListText, type WordStretch } from './index-list.ts';
import { type IndexState, namePart, rowWordsPathIn } from './index-state.ts';
import { sha256Of, sha256OfFile } from './sha256.ts';
import type { FileStore } from './store.ts';
import { toIndexKey } from './store-key.ts';

const putsAtOnce = 4;
/** A longer file is put in blocks: no store takes some gigabytes at once, and a block that another file had need not travel. */
const defaultBlockBytes = 8_388_608;
/** Stretches of words are joined until they are so long: one for every batch would become a list of thousands. */
const joinedMaxBytes = 4_000_000;
const stretchMaxBytes = 32_000_000;

/**
 * Puts into the store what is new of `state` since the state that counts, `before`. Nobody reads it until the database says that
 * `state` counts, in the form that comes back. Where the store keeps the tables themselves there is nothing to do.
 */
export async function publishIndex(
  copy: IndexCopy,
  { state, before }: { readonly state: IndexState; readonly before: IndexState | null },
): Promise<{ state: IndexState; list: IndexList }> {
  const { store } = copy;
  if (!store) return { state: { ...state, files: null }, list: noList };
  const known = before?.generation === state.generation ? await readIndexList(copy, before) : noList;
  const files = await putFiles(copy, { store, state, known: known.files });
  const list = { files, words: await putWords(copy.folder, { store, state, known: known.words }) };
  const text = toListText(list);
  const sha256 = sha256Of(text);
  await store.put(toIndexKey(state.generation, sha256), Buffer.from(text));
  return { state: { ...state, files: sha256 }, list };
}

async function putFiles(
  { folder, blockBytes = defaultBlockBytes }: IndexCopy,
  { store, state, known }: { store: FileStore; state: IndexState; known: IndexList['files'] },
): Promise<IndexList['files']> {
  const files: IndexList['files'] = {};
  const lies = new Set(Object.values(known).flatMap(hashesOf));
  const putting = writeBehind({ atOnce: putsAtOnce });
  for (const path of (await filesOfState(folder, state)).sort()) {
    const local = join(folder, state.generation, path);
    const sizeBytes = (await stat(local)).size;
    const before = known[path];
    if (before?.sizeBytes === sizeBytes) {
      files[path] = before;
      continue;
    }
    const content = await contentOf(local, { sizeBytes, lengthBytes: blockBytes });
    files[path] = content;
    for (const [n, sha256] of hashesOf(content).entries()) {
      if (lies.has(sha256)) continue;
      lies.add(sha256);
      const key = toIndexKey(state.generation, sha256);
      await putting.begin(async () => await store.put(key, content.blocks ? await readBlock(local, content, n) : { copyOf: local }));
    }
  }
  await putting.end();
  return files;
}

async function contentOf(path: string, { sizeBytes, lengthBytes }: { sizeBytes: number; lengthBytes: number }): Promise<Content> {
  if (sizeBytes <= lengthBytes) return { sha256: await sha256OfFile(path), sizeBytes };
  const whole = createHash('sha256');
  const blocks = { lengthBytes, sha256s: [] as string[] };
  for (let n = 0; n * lengthBytes < sizeBytes; n++) {
    const bytes = await readBlock(path, { sizeBytes, blocks }, n);
    whole.update(bytes);
    blocks.sha256s.push(sha256Of(bytes));
  }
  return { sha256: whole.digest('hex'), sizeBytes, blocks };
}

async function putWords(
  folder: string,
  { store, state, known }: { store: FileStore; state: IndexState; known: readonly WordStretch[] },
): Promise<WordStretch[]> {
  const stretches = [...known];
  const end = state.rowWords.bytes;
  let start = stretches.at(-1)?.end ?? 0;
  if (start === end) return stretches;
  // Each joins those before it that are no longer than itself: there are ever only a few short ones, and each byte is put a few times.
  for (let last = stretches.at(-1); last && end - last.start <= joinedMaxBytes && last.end - last.start <= end - start; ) {
    start = last.start;
    stretches.pop();
    last = stretches.at(-1);
  }
  await using file = await open(rowWordsPathIn(folder, state), 'r');
  for (; start < end; start = stretches.at(-1)?.end ?? end) {
    const bytes = Buffer.alloc(Math.min(stretchMaxBytes, end - start));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    if (bytesRead < bytes.length) throw new Error(`The words of the rows end at ${start + bytesRead}, before ${end}.`);
    const sha256 = sha256Of(bytes);
    await store.put(toIndexKey(state.generation, sha256), bytes);
    stretches.push({ start, end: start + bytes.length, sha256 });
  }
  return stretches;
}

/** What no follower can be under way to any more. */
const discardedAfterMs = 60 * 60 * 1_000;

/** Discards what the store holds of other states than the one that counts, once it has lain there for an hour. Only the writer may, between two changes. */
export async function discardOldFiles(copy: IndexCopy, state: IndexState, now = Date.now()): Promise<number> {
  const { store } = copy;
  if (!store || state.files === null) return 0;
  const list = await readIndexList(copy, state);
  const contents = [...Object.values(list.files).flatMap(hashesOf), ...list.words.map(({ sha256 }) => sha256)];
  const needed = new Set([state.files, ...contents].map((sha256) => toIndexKey(state.generation, sha256)));
  let discarded = 0;
  for await (const { key, modifiedAt } of store.list('index')) {
    if (needed.has(key) || modifiedAt.getTime() > now - discardedAfterMs) continue;
    await store.discard(key);
    discarded += 1;
  }
  return discarded;
}

/**
 * The parts of `state`, and the files of its tables in the versions that it names, by their paths below the generation.
 *
 * A table of LanceDB is a folder, and each of its versions a manifest in it, which names the files that it is made of; no file is
 * changed once it is written. Files of data and transactions stand in the manifest by their names, word indexes by the 16 bytes of
 * their UUID. Lists of deleted rows are small, and taken all.
 */
async function filesOfState(folder: string, { generation, versions, parts }: IndexState): Promise<string[]> {
  const root = join(folder, generation);
  const tables = Object.entries(versions).map(([name, version]) => filesOfTable(join(root, `${name}.lance`), version));
  return [...(await Promise.all(tables)).flat().map((path) => relative(root, path)), ...parts.map(namePart)];
}

async function filesOfTable(folder: string, version: number): Promise<string[]> {
  const manifestName = await findManifest(folder, version);
  const manifest = await readFile(join(folder, '_versions', manifestName));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const belongs = (path: string): boolean => {
    const [part = '', name = ''] = path.split('/');
    if (part === '_versions') return name === manifestName;
    if (part === '_indices') return manifest.includes(Buffer.from(name.replaceAll('-', ''), 'hex'));
    return part === 'data' || part === '_transactions' ? manifest.includes(name) : true;
  };
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => belongs(relative(folder, path)));
}

const largest = 2n ** 64n - 1n;

/** The newer way to name manifests counts backwards, so that the latest version comes first in a list. */
async function findManifest(folder: string, version: number): Promise<string> {
  const names = [`${largest - BigInt(version)}.manifest`, `${version}.manifest`];
  const found = (await readdir(join(folder, '_versions'))).find((name) => names.includes(name));
  if (found === undefined) throw new Error(`${folder} has no version ${version}.`);
  return found;
}
