import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMemoryStore } from '#testing/memory-store.ts';
import { askedOfFilms, openSharedIndex, type SharedIndex } from '#testing/shared-index.ts';
import { until } from '#testing/until.ts';
import { listen } from '../db/listen.ts';
import type { FileStore } from '../files/store.ts';
import { startIndexFollower } from './index-follower.ts';
import { catchUpIndex } from './keep-index.ts';

const listening = "select pid from pg_stat_activity where datname = current_database() and query = 'listen search_index'";

let shared: SharedIndex;
beforeEach(async () => {
  shared = await openSharedIndex();
});
afterEach(() => shared.close());

test('a process that searches hears of every batch, also after database and store were away, and leaves no connection behind', async () => {
  const { pool, address } = shared.database;
  const store = openMemoryStore();
  let isStoreAway = false;
  const openRange: FileStore['openRange'] = (key, range) => {
    return isStoreAway ? Promise.reject(new Error('the store is away')) : store.openRange(key, range);
  };
  const [writer, reader] = [shared.machineWith(store), shared.machineWith({ ...store, openRange })];
  const lines: string[] = [];
  const follower = startIndexFollower({ pool, address, copy: reader.copy, log: (line) => lines.push(line) });
  const followed = async () => {
    await shared.publish(3);
    const { state } = await catchUpIndex(pool, writer.copy);
    return async () => (await reader.index.batch()) === state.batch;
  };
  await until(await followed());
  await until(async () => (await pool.query(listening)).rowCount === 1);
  await until(await followed(), { withinMs: 3_000 });
  expect(lines).toEqual([]);

  await pool.query(`select pg_terminate_backend(pid) from (${listening}) as them`);
  await until(await followed());
  expect(lines).toHaveLength(1);

  isStoreAway = true;
  const before = await reader.answers(askedOfFilms);
  const isFollowed = await followed();
  await until(() => lines.length === 2);
  expect(lines[1]).toBe('the store is away');
  expect(await reader.answers(askedOfFilms)).toBe(before);
  isStoreAway = false;
  await until(isFollowed);
  expect(await reader.answers(askedOfFilms)).toBe(await writer.answers(askedOfFilms));

  await follower.stop();
  await until(async () => (await pool.query(listening)).rowCount === 0);
});

test('a follower that is stopped while it begins ends', async () => {
  const { pool, address } = shared.database;
  const { copy } = shared.machineWith(openMemoryStore());
  await startIndexFollower({ pool, address, copy, log: () => {} }).stop();
  // Whoever begins now listens after the follower, had it gone on.
  const later = await listen(address, 'search_index');
  await until(async () => (await pool.query(listening)).rowCount === 1);
  await later.close();
  await until(async () => (await pool.query(listening)).rowCount === 0);
});
