import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CutOff, cutStore } from '#testing/cut-store.ts';
import type { IndexMachine } from '#testing/index-machine.ts';
import { openMemoryStore } from '#testing/memory-store.ts';
import { askedOfFilms, openSharedIndex, type SharedIndex } from '#testing/shared-index.ts';
import { storeOpeners } from '#testing/store-openers.ts';
import { archiveFolderIn } from '../files/archive-folder.ts';
import { fetchIndex, leaveOldFiles } from '../files/fetch-index.ts';
import { toIndexCopy } from '../files/index-copy.ts';
import { readIndexList } from '../files/index-list.ts';
import { type IndexState, isIndexDamageNoted, readIndexState, rowWordsPathIn } from '../files/index-state.ts';
import { openLocalStore } from '../files/local-store.ts';
import { discardOldFiles } from '../files/publish-index.ts';
import type { FileStore } from '../files/store.ts';
import { checkIndex } from './check/check-index.ts';
import { findIndexState } from './index-commit.ts';
import { followIndex } from './index-follower.ts';
import { type IndexWriter, openIndexWriter } from './index-writer.ts';
import { catchUpIndex } from './keep-index.ts';
import { cleanIndex, mergeRecent } from './merge-recent.ts';
import { rebuildIndex } from './rebuild-index.ts';

let shared: SharedIndex;
beforeEach(async () => {
  shared = await openSharedIndex();
});
afterEach(() => shared.close());

async function change(): Promise<void> {
  await shared.database.pool.query(
    "update moments set body = convert_to(replace(convert_from(body, 'UTF8'), 'heron', 'curlew'), 'UTF8') where video_id in (select id from videos order by id limit 3)",
  );
  await shared.database.pool.query('update videos set revision = revision + 1 where id in (select id from videos order by id limit 3)');
  await shared.database.pool.query('delete from videos where external_id = $1', ['film-2']);
}

/** What a writer does over the days, one after the other. */
const days: [string, { publishes?: number; change?: () => Promise<void>; work?: (writer: IndexWriter) => Promise<unknown> }][] = [
  ['the first films', { publishes: 30 }],
  ['one film more', { publishes: 1 }],
  ['films that change and go', { change }],
  ['many films', { publishes: 40 }],
  ['a merge', { work: mergeRecent }],
  ['a film after the merge', { publishes: 1 }],
  ['tidying up', { work: cleanIndex }],
  ['an index built anew', { work: ({ pool, copy }) => rebuildIndex(pool, copy) }],
  ['a film after that', { publishes: 2 }],
];

async function spendDay({ copy }: IndexMachine, { publishes = 0, change: changes, work }: (typeof days)[number][1]): Promise<void> {
  await shared.publish(publishes);
  await changes?.();
  if (work) await work(await openWriter(copy));
  else await catchUpIndex(shared.database.pool, copy);
}

async function openWriter(copy: IndexMachine['copy']): Promise<IndexWriter> {
  const writer = await openIndexWriter(shared.database.pool, copy);
  if (!writer) throw new Error('the index cannot be opened');
  return writer;
}

describe.each(storeOpeners)('through a store in %s', (_, opener) => {
  test('a reader elsewhere answers as the writer does, whatever cuts off its copying, and never worse than before', {
    timeout: 120_000,
  }, async () => {
    const scratch = shared.machineWith(openMemoryStore());
    const store = (await opener(scratch.dataFolder))?.();
    if (!store) throw new Error('a store that can be opened anywhere');
    const [writer, reader] = [shared.machineWith(store), shared.machineWith(store)];
    // Some of its files travel in blocks, and some as they are.
    const inBlocks = { ...writer, copy: { ...writer.copy, blockBytes: 20_000 } };
    let before = await reader.answers(askedOfFilms);
    for (const [day, events] of days) {
      await spendDay(inBlocks, events);
      const expected = await writer.answers(askedOfFilms);
      for (let calls = 1; ; calls += 1) {
        const cut = followIndex(shared.database.pool, { ...reader.copy, store: cutStore(store, calls) });
        const isDone = await cut.then(
          () => true,
          (error: unknown) => {
            expect(error).toBeInstanceOf(CutOff);
            return false;
          },
        );
        expect(await reader.answers(askedOfFilms), day).toBe(isDone ? expected : before);
        if (isDone) break;
      }
      const state = await stateThatCounts();
      expect(await readIndexState(reader.copy.folder), day).toEqual(state);
      // All that the state is made of, and nothing else.
      expect(namesBelow(reader.copy.folder), day).toEqual(await namesOf(reader.copy, state));
      before = expected;
    }
    expect(await isIndexDamageNoted(reader.copy.folder)).toBe(false);
    const { check } = await checkIndex(shared.database.pool, reader.copy.folder);
    expect(check).toMatchObject({ waiting: 0, missing: 0, twice: 0, foreign: 0, wrong: 0, wordCountsWrong: 0 });
    expect(before).toContain('Transcript');
  });
});

test('a writer that is cut off from the store makes nothing count, and the next one goes on', async () => {
  const store = openMemoryStore();
  const [first, second] = [shared.machineWith(store), shared.machineWith(store)];
  await shared.publish(20);
  await catchUpIndex(shared.database.pool, first.copy);
  const generation = (await findIndexState(shared.database.pool))?.generation;
  await shared.publish(3);
  for (let calls = 1; calls < 6; calls += 1) {
    const before = await findIndexState(shared.database.pool);
    await expect(catchUpIndex(shared.database.pool, { ...first.copy, store: cutStore(store, calls) })).rejects.toBeInstanceOf(CutOff);
    expect((await findIndexState(shared.database.pool))?.mainRows).toBe(before?.mainRows);
    expect((await findIndexState(shared.database.pool))?.recentRows).toBe(before?.recentRows);
  }
  // Elsewhere, from what the store holds alone, beside what the first has half done.
  await catchUpIndex(shared.database.pool, second.copy);
  await followIndex(shared.database.pool, first.copy);
  expect((await findIndexState(shared.database.pool))?.generation).toBe(generation);
  expect(await first.answers(askedOfFilms)).toBe(await second.answers(askedOfFilms));
  for (const { copy } of [first, second]) {
    const { check } = await checkIndex(shared.database.pool, copy.folder);
    expect(check).toMatchObject({ videos: 23, waiting: 0, missing: 0, twice: 0, foreign: 0, wrong: 0, wordCountsWrong: 0 });
  }
});

test('machines write in turns: what one left half done is neither read nor kept by the others', async () => {
  const store = openMemoryStore();
  const [first, second] = [shared.machineWith(store), shared.machineWith(store)];
  await shared.publish(20);
  const { generation } = (await catchUpIndex(shared.database.pool, first.copy)).state;
  for (const [writer, other] of [
    [first, second],
    [second, first],
    [first, second],
  ] as const) {
    // Killed in the middle: a version of a table that never counted, and words behind those that do.
    const killed = await openWriter(other.copy);
    await (await killed.connection.openTable('heads')).delete('true');
    appendFileSync(rowWordsPathIn(other.copy.folder, killed.state), 'words of nobody, and some of them');
    await shared.publish(2);
    await catchUpIndex(shared.database.pool, writer.copy);
    await followIndex(shared.database.pool, other.copy);
    expect(await other.answers(askedOfFilms)).toBe(await writer.answers(askedOfFilms));
  }
  expect((await findIndexState(shared.database.pool))?.generation).toBe(generation);
});

test('searches elsewhere go on by the index of before while the one that was built anew comes', async () => {
  const store = openMemoryStore();
  const [writer, reader] = [shared.machineWith(store), shared.machineWith(store)];
  await shared.publish(20);
  await catchUpIndex(shared.database.pool, writer.copy);
  await followIndex(shared.database.pool, reader.copy);
  const before = await reader.answers(askedOfFilms);
  await rebuildIndex(shared.database.pool, writer.copy);
  const seen: string[] = [];
  const watched: FileStore = {
    ...store,
    openRange: async (...args) => {
      seen.push(await reader.answers(askedOfFilms));
      return await store.openRange(...args);
    },
  };
  await followIndex(shared.database.pool, { ...reader.copy, store: watched });
  expect(seen.length).toBeGreaterThan(5);
  expect(new Set(seen)).toEqual(new Set([before]));
  expect(await reader.answers(askedOfFilms)).toBe(await writer.answers(askedOfFilms));
});

test('files of the state of before stay for a minute, for a search that is just opening it', async () => {
  const store = openMemoryStore();
  const [writer, reader] = [shared.machineWith(store), shared.machineWith(store)];
  const follow = async (outdatedLeftAfterMs: number) => {
    await shared.publish(5);
    await catchUpIndex(shared.database.pool, writer.copy);
    await followIndex(shared.database.pool, { ...reader.copy, outdatedLeftAfterMs });
    return namesBelow(reader.copy.folder);
  };
  const before = await follow(60_000);
  expect(await follow(60_000)).toEqual(expect.arrayContaining(before));
  expect(await follow(0)).toEqual(await namesOf(reader.copy, await stateThatCounts()));
});

test('a machine that follows while it writes itself ends with what counts, not with what came last', async () => {
  const store = openMemoryStore();
  const [writer, both] = [shared.machineWith(store), shared.machineWith(store)];
  await shared.publish(20);
  await catchUpIndex(shared.database.pool, writer.copy);
  const writing: Promise<unknown>[] = [];
  const openRange: FileStore['openRange'] = async (key, range) => {
    if (writing.length === 0) {
      writing.push(shared.publish(1).then(() => catchUpIndex(shared.database.pool, both.copy)));
      await Promise.all(writing);
    }
    return await store.openRange(key, range);
  };
  await followIndex(shared.database.pool, { ...both.copy, store: { ...store, openRange } });
  expect(writing).toHaveLength(1);
  expect(await readIndexState(both.copy.folder)).toEqual(await findIndexState(shared.database.pool));
  await followIndex(shared.database.pool, writer.copy);
  expect(await both.answers(askedOfFilms)).toBe(await writer.answers(askedOfFilms));
});

test('what a machine leaves behind when it has followed is nothing that it has written itself meanwhile', async () => {
  const store = openMemoryStore();
  const [writer, both] = [shared.machineWith(store), shared.machineWith(store)];
  await shared.publish(20);
  await catchUpIndex(shared.database.pool, writer.copy);
  await followIndex(shared.database.pool, both.copy);
  await shared.publish(20);
  await mergeRecent(await catchUpIndex(shared.database.pool, writer.copy));
  const state = await stateThatCounts();
  const fetched = await fetchIndex(both.copy, state, { isSuspect: false });
  // It has fetched, and before it is done a writer of this machine goes on from there.
  await shared.publish(5);
  await catchUpIndex(shared.database.pool, both.copy);
  await leaveOldFiles(both.copy, state, fetched);
  const last = await stateThatCounts();
  expect(namesBelow(both.copy.folder)).toEqual(expect.arrayContaining(await namesOf(both.copy, last)));
  expect((await catchUpIndex(shared.database.pool, both.copy)).state.generation).toBe(last.generation);
});

test('what no state needs is discarded from the store after an hour, and nothing else', async () => {
  const store = openMemoryStore();
  const [writer, reader] = [shared.machineWith(store), shared.machineWith(store)];
  await shared.publish(20);
  await catchUpIndex(shared.database.pool, writer.copy);
  await shared.publish(20);
  await catchUpIndex(shared.database.pool, writer.copy);
  const merged = await mergeRecent(await openWriter(writer.copy));
  const cleaned = await cleanIndex(merged);
  expect(await discardOldFiles(writer.copy, cleaned.state)).toBe(0);
  expect(await discardOldFiles(writer.copy, cleaned.state, Date.now() + 3_700_000)).toBeGreaterThan(10);
  await followIndex(shared.database.pool, reader.copy);
  expect(await reader.answers(askedOfFilms)).toBe(await writer.answers(askedOfFilms));
});

test('an index that was made where its store keeps it comes to other machines once their store is another one', async () => {
  const store = openMemoryStore();
  const [writer, reader] = [shared.machineWith(store), shared.machineWith(store)];
  await shared.publish(20);
  const { state } = await catchUpIndex(shared.database.pool, { ...writer.copy, store: null });
  await followIndex(shared.database.pool, reader.copy);
  expect(await reader.index.batch()).toBe(0);
  await catchUpIndex(shared.database.pool, writer.copy);
  await followIndex(shared.database.pool, reader.copy);
  expect((await stateThatCounts()).generation).toBe(state.generation);
  expect(await reader.answers(askedOfFilms)).toBe(await writer.answers(askedOfFilms));
});

test('where the store keeps the index itself nothing is copied, and a writer killed before it told the readers is made good', async () => {
  const home = shared.machineWith(openMemoryStore());
  const copy = toIndexCopy({ folder: archiveFolderIn(home.dataFolder), store: openLocalStore(home.dataFolder) });
  expect(copy).toEqual({ folder: home.copy.folder, store: null });
  await shared.publish(5);
  const first = await catchUpIndex(shared.database.pool, copy);
  const stale = readFileSync(join(copy.folder, 'current.json'));
  await shared.publish(5);
  const { state } = await catchUpIndex(shared.database.pool, copy);
  writeFileSync(join(copy.folder, 'current.json'), stale);
  expect(await home.index.batch()).toBe(first.state.batch);
  await followIndex(shared.database.pool, copy);
  expect(await readIndexState(copy.folder)).toEqual(state);
  expect(readdirSync(copy.folder).sort()).toEqual(['current.json', state.generation]);
  expect(existsSync(join(copy.folder, state.generation, 'list.json'))).toBe(false);
  // What is not whole is not what searches should read: the writer sees to it.
  rmSync(join(copy.folder, state.generation, 'row-words.bin'));
  writeFileSync(join(copy.folder, 'current.json'), stale);
  await followIndex(shared.database.pool, copy);
  expect(await readIndexState(copy.folder)).toEqual(first.state);
});

async function stateThatCounts(): Promise<IndexState> {
  const state = await findIndexState(shared.database.pool);
  if (!state) throw new Error('no index');
  return state;
}

function namesBelow(folder: string): string[] {
  return filesBelow(folder)
    .map((path) => relative(folder, path))
    .sort();
}

async function namesOf(copy: IndexMachine['copy'], state: IndexState): Promise<string[]> {
  const inGeneration = ['list.json', 'row-words.bin', ...Object.keys((await readIndexList(copy, state)).files)];
  return ['current.json', ...inGeneration.map((name) => join(state.generation, name))].sort();
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
