import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRelay } from '#testing/machines/relay.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { addressOf, answersQueries, closePool, directOf, eachRow, inTransaction, openPool } from './database.ts';
import { untilLost } from './hold-session.ts';
import { isDatabaseAway } from './is-database-away.ts';
import { listen } from './listen.ts';
import { sql } from './sql.ts';

test('a transaction that loses its connection fails, and its process lives on', async () => {
  const database = await createTestDatabase();
  const cutOff = inTransaction(database.pool, async (client) => {
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const gone = new Promise<void>((resolve) => client.once('end', resolve));
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await gone;
    await client.query('select 1');
  });
  await expect(cutOff).rejects.toThrow(/not queryable|closed|terminated/);
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await database.drop();
});

test('rows are taken as they come: before all of them are there, and where the others never come', async () => {
  const { pool, drop } = await createTestDatabase();
  const taken: number[] = [];
  const take = ({ n }: { n: number }) => taken.push(n);
  // Rows large enough to be sent each by itself.
  const slow = sql`
    select n, repeat('x', 100000) as filling, pg_sleep(case when n = ${3} then 3 else 0 end) from generate_series(1, 3) as n`;
  await expect(eachRow(pool, { ...slow, query_timeout: 1_000 }, take)).rejects.toThrow(/timeout/i);
  expect(taken).toEqual([1, 2]);
  await eachRow(pool, { ...sql`select n from generate_series(4, ${6}) as n`, query_timeout: 5_000 }, take);
  expect(taken).toEqual([1, 2, 4, 5, 6]);
  await drop();
});

test('a statement that fails, and a row that cannot be taken, are told, and the next statement finds a sound connection', async () => {
  const { pool, drop } = await createTestDatabase();
  const one = { ...sql`select 1 / n as n from generate_series(1, ${1}) as n`, query_timeout: 5_000 };
  const fail = () => {
    throw new Error('Nobody takes this.');
  };
  await expect(eachRow(pool, { ...sql`select 1 / ${0}::int`, query_timeout: 5_000 }, () => {})).rejects.toThrow('division by zero');
  await expect(eachRow(pool, one, fail)).rejects.toThrow('Nobody takes this.');
  const taken: unknown[] = [];
  await eachRow(pool, one, (row) => taken.push(row));
  expect(taken).toEqual([{ n: 1 }]);
  await drop();
});

/** A pool whose way to a database can fall silent. */
async function openBehindRelay(options: Parameters<typeof openPool>[1]) {
  const { address, drop } = await createTestDatabase();
  const relay = await openRelay(join(address.host ?? '', '.s.PGSQL.5432'));
  const login = `${address.user}:${address.password}`;
  const pool = openPool({ connectionString: `postgres://${login}@127.0.0.1:${relay.port}/${address.database}` }, options);
  onTestFinished(async () => {
    relay.close();
    await closePool(pool);
    await drop();
  });
  return { pool, relay };
}

test('statements that get no answer end in time and give their places in the pool back, and no connection of theirs serves anybody again', async () => {
  const { pool, relay } = await openBehindRelay({ maxConnections: 2, answerWithinMs: 1_000 });
  const pidsOf = async (two: readonly Promise<{ rows: { pid: number }[] }>[]) => (await Promise.all(two)).flatMap(({ rows }) => rows);
  const ask = () => pool.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.05)');
  const before = await pidsOf([ask(), ask()]);
  relay.hang(true);
  const changing = inTransaction(pool, (db) => db.query('select 1'));
  const unanswered = await Promise.allSettled([ask(), changing]);
  expect(unanswered.map((end) => end.status === 'rejected' && isDatabaseAway(end.reason))).toEqual([true, true]);
  expect(pool.totalCount).toBe(0);
  relay.hang(false);
  const after = await pidsOf([ask(), ask()]);
  expect(after.filter(({ pid }) => before.some((one) => one.pid === pid))).toEqual([]);
});

test('a statement may take its time where sessions are, and ends with those who wait for it', async () => {
  const { pool } = await openBehindRelay({ answerWithinMs: 1_000 });
  expect((await directOf(pool).query("select 'late' as answer from pg_sleep(1.5)")).rows).toEqual([{ answer: 'late' }]);
  await expect(pool.query('select pg_sleep(600)')).rejects.toThrow('timeout');
  const left = () =>
    directOf(pool).query("select from pg_stat_activity where query = 'select pg_sleep(600)' and datname = current_database()");
  await expect.poll(async () => (await left()).rowCount, { timeout: 20_000 }).toBe(0);
});

test('whether the database answers is known in two seconds, also where nothing comes back at all', async () => {
  const { pool, relay } = await openBehindRelay({});
  expect(await answersQueries(pool)).toBe(true);
  relay.hang(true);
  expect(await answersQueries(pool)).toBe(false);
  relay.hang(false);
  expect(await answersQueries(pool)).toBe(true);
});

test('a session whose database says nothing any more counts as lost', async () => {
  const { pool, relay } = await openBehindRelay({});
  const client = await pool.connect();
  relay.hang(true);
  const stopping = new AbortController();
  await untilLost(client, stopping.signal, 300);
  expect(stopping.signal.aborted).toBe(false);
  client.release(true);
});

test('a listener whose database says nothing any more is told so, and so is one that begins with such a database', async () => {
  const { pool, relay } = await openBehindRelay({});
  const patience = { checkEveryMs: 50, answerWithinMs: 500 };
  const news = await listen(addressOf(pool), 'search_index', patience);
  await news.next(200);
  relay.hang(true);
  await expect(news.next(60_000)).rejects.toThrow('The connection to the database was lost.');
  await expect(listen(addressOf(pool), 'search_index', patience)).rejects.toThrow('timeout');
  news.close();
});

test('no two locks of an archive are the same', async () => {
  const { pool, drop } = await createTestDatabase();
  const { provedAddress, workingOnFilm, ...others } = advisoryLocks;
  const ofNumber = Object.values(others).map((lock) => sql`select (${lock})::bigint::text as key`);
  const ofTwo = [provedAddress('film'), workingOnFilm('film')].map((lock) => sql`select concat_ws(' ', ${lock}) as key`);
  const keys = await Promise.all([...ofNumber, ...ofTwo].map(async (asked) => (await pool.query<{ key: string }>(asked)).rows[0]?.key));
  expect(new Set(keys).size).toBe(keys.length);
  await drop();
});
