import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type IndexMachine, openIndexMachine } from '#testing/index-machine.ts';
import { openMemoryStore } from '#testing/memory-store.ts';
import { askedOfFilms, openSharedIndex, type SharedIndex } from '#testing/shared-index.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { LostIndexFile, readIndexList } from '../files/index-list.ts';
import { type IndexState, isIndexDamageNoted, noteIndexDamage, readIndexState } from '../files/index-state.ts';
import type { FileStore } from '../files/store.ts';
import { toIndexKey } from '../files/store-key.ts';
import { isIndexLost } from './index-commit.ts';
import { followIndex } from './index-follower.ts';
import { catchUpIndex } from './keep-index.ts';

let shared: SharedIndex;
beforeEach(async () => {
  shared = await openSharedIndex();
});
afterEach(() => shared.close());

const harms: [string, (store: FileStore, key: string, bytes: Buffer) => Promise<void>][] = [
  ['changed', (store, key, bytes) => store.put(key, Buffer.alloc(bytes.length))],
  ['cut short', (store, key, bytes) => store.put(key, bytes.subarray(1))],
  ['gone', (store, key) => store.discard(key)],
];
const parts: ['list' | 'table' | 'words'][] = [['list'], ['table'], ['words']];
const wrongs = parts.flatMap(([part]) => harms.map(([how, harm]): [typeof part, string, typeof harm] => [part, how, harm]));

test.each(wrongs)('of the %s what the store holds, %s, is not taken: searches go on, and the writer builds anew', async (part, _, harm) => {
  const store = openMemoryStore();
  const { writer, reader } = await follower(store);
  const before = await reader.answers(askedOfFilms);
  const known = await readIndexList(reader.copy, await stateOf(reader));
  await shared.publish(5);
  const { state } = await catchUpIndex(shared.database.pool, writer.copy);
  const list = await readIndexList(writer.copy, state);
  const isNew = ([name]: [string, unknown]) => name.includes('/data/') && known.files[name] === undefined;
  const harmed = {
    list: state.files,
    table: Object.entries(list.files).find(isNew)?.[1].sha256,
    words: list.words.at(-1)?.sha256,
  };
  const key = toIndexKey(state.generation, harmed[part] ?? '');
  await harm(store, key, await storedBytes(store, key));
  await expect(followIndex(shared.database.pool, reader.copy)).rejects.toBeInstanceOf(LostIndexFile);
  expect(await reader.answers(askedOfFilms)).toBe(before);
  expect(await isIndexLost(shared.database.pool, state)).toBe(true);
  // The writer has a copy of its own, and hears of it; or somebody who has nothing but the store takes the writing over.
  const next = part === 'words' ? writer : shared.machineWith(store);
  const rebuilt = await catchUpIndex(shared.database.pool, next.copy);
  expect(rebuilt.state.generation).not.toBe(state.generation);
  await followIndex(shared.database.pool, reader.copy);
  expect(await reader.answers(askedOfFilms)).toBe(await next.answers(askedOfFilms));
});

test('here is fetched again once a search stumbled over it, and nothing is built anew', async () => {
  const { writer, reader } = await follower(openMemoryStore());
  const { folder } = reader.copy;
  const state = await readIndexState(folder);
  const harmed = filesBelow(join(folder, state?.generation ?? '')).filter((path) => /\.(lance|bin)$/.test(path) && !path.includes('/_'));
  for (const path of harmed) writeFileSync(path, readFileSync(path).reverse());
  await noteIndexDamage(folder);
  await followIndex(shared.database.pool, reader.copy);
  expect(await isIndexDamageNoted(folder)).toBe(false);
  expect(await readIndexState(folder)).toEqual(state);
  expect(harmed.length).toBeGreaterThan(2);
  const again = openIndexMachine(openMemoryStore());
  renameSync(folder, again.copy.folder);
  expect(await again.answers(askedOfFilms)).toBe(await writer.answers(askedOfFilms));
  again.close();
});

test('a copy that is what the store holds and still cannot be read is forgiven once, and then left to the writer, who builds it anew', async () => {
  const { writer, reader } = await follower(openMemoryStore());
  const before = await reader.answers(askedOfFilms);
  const { generation } = await stateOf(reader);
  await noteIndexDamage(reader.copy.folder);
  await followIndex(shared.database.pool, reader.copy);
  expect(await isIndexDamageNoted(reader.copy.folder)).toBe(false);
  for (const { copy } of [reader, writer]) await noteIndexDamage(copy.folder);
  await expect(followIndex(shared.database.pool, reader.copy)).rejects.toThrow('what the store holds');
  expect(await isIndexDamageNoted(reader.copy.folder)).toBe(true);
  expect(await reader.answers(askedOfFilms)).toBe(before);
  await catchUpIndex(shared.database.pool, writer.copy);
  await followIndex(shared.database.pool, reader.copy);
  expect((await stateOf(reader)).generation).not.toBe(generation);
  expect(await isIndexDamageNoted(reader.copy.folder)).toBe(false);
  expect(await reader.answers(askedOfFilms)).toBe(await writer.answers(askedOfFilms));
});

async function follower(store: FileStore): Promise<{ writer: IndexMachine; reader: IndexMachine }> {
  const [writer, reader] = [shared.machineWith(store), shared.machineWith(store)];
  await shared.publish(20);
  await catchUpIndex(shared.database.pool, writer.copy);
  await followIndex(shared.database.pool, reader.copy);
  return { writer, reader };
}

async function stateOf({ copy }: IndexMachine): Promise<IndexState> {
  const state = await readIndexState(copy.folder);
  if (!state) throw new Error('no index');
  return state;
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
