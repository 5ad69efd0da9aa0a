import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IndexMachine } from '#testing/index-machine.ts';
import { openMemoryStore } from '#testing/memory-store.ts';
import { askedOfFilms, openSharedIndex, type SharedIndex } from '#testing/shared-index.ts';
import { hashesOf, type IndexList, readIndexList } from '../files/index-list.ts';
import type { FileStore } from '../files/store.ts';
import { findIndexState } from './index-commit.ts';
import { followIndex } from './index-follower.ts';
import { openIndexWriter } from './index-writer.ts';
import { catchUpIndex } from './keep-index.ts';
import { cleanIndex, mergeRecent } from './merge-recent.ts';

let shared: SharedIndex;
beforeEach(async () => {
  shared = await openSharedIndex();
});
afterEach(() => shared.close());

test('what a merge or a tidying up leaves as it was is neither put nor fetched again, whatever file it stands in by then', async () => {
  const store = openMemoryStore();
  const [asked, put] = [new Set<string>(), new Set<string>()];
  const nameOf = (key: string) => key.split('/').at(-1) ?? '';
  const counted: FileStore = {
    ...store,
    put: async (key, from) => {
      put.add(nameOf(key));
      await store.put(key, from);
    },
    openRange: async (key, range) => {
      asked.add(nameOf(key));
      return await store.openRange(key, range);
    },
  };
  const [writer, reader] = [shared.machineWith(counted), shared.machineWith(counted)];
  // As files of an index of millions of rows are cut.
  const copy = { ...writer.copy, blockBytes: 1_000 };
  await shared.publish(60);
  await catchUpIndex(shared.database.pool, copy);
  for (const work of [mergeRecent, mergeRecent, cleanIndex]) {
    await shared.publish(3);
    await catchUpIndex(shared.database.pool, copy);
    await followIndex(shared.database.pool, reader.copy);
    const before = await listThatCounts(reader);
    for (const names of [asked, put]) names.clear();
    const opened = await openIndexWriter(shared.database.pool, copy);
    if (!opened) throw new Error('the index cannot be opened');
    await work(opened);
    await followIndex(shared.database.pool, reader.copy);
    const known = Object.values(before.files).flatMap(hashesOf);
    expect(known.length).toBeGreaterThan(5);
    for (const names of [asked, put]) expect(known.filter((sha256) => names.has(sha256))).toEqual([]);
    expect(put.size).toBeGreaterThan(0);
    expect(await reader.answers(askedOfFilms)).toBe(await writer.answers(askedOfFilms));
  }
});

async function listThatCounts({ copy }: IndexMachine): Promise<IndexList> {
  const state = await findIndexState(shared.database.pool);
  if (!state) throw new Error('no index');
  return await readIndexList(copy, state);
}
