import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openRelay } from '#testing/machines/relay.ts';
import { openMemoryStore } from '#testing/memory-store.ts';
import { askedOfFilms, openSharedIndex, type SharedIndex } from '#testing/shared-index.ts';
import { until } from '#testing/until.ts';
import { addressOf, closePool, openPool } from '../db/database.ts';
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
  // No look of its own comes in time: notifications alone bring what comes.
  const follower = startIndexFollower({ pool, address, copy: reader.copy, log: (line) => lines.push(line), everyMs: 600_000 });
  const followed = async () => {
    await shared.publish(3);
    const { state } = await catchUpIndex(pool, writer.copy);
    return async () => (await reader.index.batch()) === state.batch;
  };
  await until(await followed());
  await until(async () => (await pool.query(listening)).rowCount === 1);
  await until(await followed());
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

test('whoever has the index followed hears once that searches read what counts', async () => {
  const { pool, address } = shared.database;
  const store = openMemoryStore();
  const [writer, reader] = [shared.machineWith(store), shared.machineWith(store)];
  await shared.publish(3);
  const { state } = await catchUpIndex(pool, writer.copy);
  const heard: Promise<number>[] = [];
  const onFollowed = () => void heard.push(reader.index.batch());
  const follower = startIndexFollower({ pool, address, copy: reader.copy, log: () => {}, onFollowed });
  onTestFinished(() => follower.stop());
  await until(() => heard.length > 0);
  await shared.publish(3);
  const later = await catchUpIndex(pool, writer.copy);
  await until(async () => (await reader.index.batch()) === later.state.batch);
  expect(await Promise.all(heard)).toEqual([state.batch]);
});

test('a process that searches hears of the next batch where its database fell silent and another one stands at the address', {
  timeout: 60_000,
}, async () => {
  const { address } = shared.database;
  const socket = join(address.host ?? '', '.s.PGSQL.5432');
  const relay = await openRelay(socket);
  const pool = openPool(
    { connectionString: `postgres://${address.user}:${address.password}@127.0.0.1:${relay.port}/${address.database}` },
    { answerWithinMs: 1_000 },
  );
  const store = openMemoryStore();
  const [writer, reader] = [shared.machineWith(store), shared.machineWith(store)];
  const follower = startIndexFollower({ pool, address: addressOf(pool), copy: reader.copy, log: () => {} });
  onTestFinished(async () => {
    await follower.stop();
    relay.close();
    await closePool(pool);
  });
  const followed = async () => {
    await shared.publish(3);
    const { state } = await catchUpIndex(shared.database.pool, writer.copy);
    return async () => (await reader.index.batch()) === state.batch;
  };
  await until(await followed());
  relay.hang(true);
  relay.leadTo(socket);
  await until(await followed(), { withinMs: 40_000 });
});

test('a follower that is stopped while it begins ends', async () => {
  const { pool, address } = shared.database;
  const { copy } = shared.machineWith(openMemoryStore());
  await startIndexFollower({ pool, address, copy, log: () => {} }).stop();
  // Whoever begins now listens after the follower, had it gone on.
  const later = await listen(address, 'search_index');
  await until(async () => (await pool.query(listening)).rowCount === 1);
  later.close();
  await until(async () => (await pool.query(listening)).rowCount === 0);
});
