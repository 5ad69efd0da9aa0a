import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { until } from '#testing/until.ts';
import { inTransaction, openPool } from '../db/database.ts';
import { type JobData, type JobQueue, openJobQueue } from './job-queue.ts';
import { ClaimLost, holdWorkerLease, isWorkerAlive, withVideoClaim } from './worker-lease.ts';

let database: TestDatabase;
let queue: JobQueue;
beforeAll(async () => {
  database = await createTestDatabase();
  queue = await openJobQueue(database.pool, { onError: () => {} });
});
afterAll(async () => {
  await queue.stop();
  await database.drop();
});

const finished = { is: 'finished' } as const;

test('a job that was enqueued in a transaction exists only when that transaction is committed', async () => {
  const seen: JobData[] = [];
  await queue.enqueue('warm', {});
  await inTransaction(database.pool, async (db) => {
    await queue.enqueue('pairs', { n: 'lost' }, { db });
    throw new Error('rolled back');
  }).catch(() => {});
  await inTransaction(database.pool, (db) => queue.enqueue('pairs', { n: 'kept' }, { db }));
  await queue.work('pairs', async (data) => {
    seen.push(data);
    return await Promise.resolve(finished);
  });
  await vi.waitFor(() => expect(seen).toEqual([{ n: 'kept' }]), 10_000);
});

test('many jobs that are enqueued at once are each like one that came alone', async () => {
  const { pool } = database;
  await queue.enqueue('alone', { n: '1' }, { priority: -1 });
  await inTransaction(pool, (db) => queue.enqueueAll('together', [{ n: '1' }, { n: '2' }], { db, priority: -1 }));
  await inTransaction(pool, (db) => queue.enqueueAll('together', [], { db }));
  const { rows } = await pool.query<{ data: JobData; rest: object }>(`
    select data, to_jsonb(j) - '{id,name,data,dead_letter,created_on,start_after,keep_until}'::text[] || jsonb_build_object('kept', keep_until - start_after) as rest
      from jobs.job j where name in ('alone', 'together') order by name, data`);
  expect(rows.map(({ data }) => data.n)).toEqual(['1', '1', '2']);
  const [alone, ...together] = rows.map(({ rest }) => rest);
  expect(together).toEqual([alone, alone]);
});

test('a database that has no connection free costs a job none of its tries', async () => {
  let tries = 0;
  await queue.enqueue('crowded', { n: '1' });
  await queue.work('crowded', async () => {
    tries += 1;
    if (tries <= 4) throw Object.assign(new Error('sorry, too many clients already'), { code: '53300' });
    return await Promise.resolve(finished);
  });
  await vi.waitFor(() => expect(tries).toBe(5), 30_000);
  const { rows } = await database.pool.query(`select from jobs.job where name = 'crowded-dead'`);
  expect(rows).toEqual([]);
});

test('a job that throws is tried again, and one that wants to wait is handed out anew', async () => {
  const tries: string[] = [];
  await queue.enqueue('stubborn', {});
  await queue.work('stubborn', async () => {
    tries.push('try');
    if (tries.length === 1) throw new Error('not yet');
    if (tries.length === 2) return { is: 'retry-later', inSeconds: 0 };
    return await Promise.resolve(finished);
  });
  await vi.waitFor(() => expect(tries).toHaveLength(3), 20_000);
});

test('a job that is put off keeps its priority, and its place among those of the same where it is half done', async () => {
  const begun: string[] = [];
  for (const [n, priority] of [
    ['last', -1],
    ['behind', -1],
    ['half done', 0],
    ['waits', 0],
    ['other', 0],
  ] as const)
    await queue.enqueue('places', { n }, { priority });
  await queue.work('places', async ({ n = '' }, _, priority) => {
    begun.push(`${n} ${priority}`);
    if (begun.filter((one) => one.startsWith(n)).length > 1) return finished;
    if (n === 'half done' || n === 'last') return { is: 'retry-later', inSeconds: 0, keepsPlace: true };
    return await Promise.resolve(n === 'waits' ? { is: 'retry-later', inSeconds: 0 } : finished);
  });
  await vi.waitFor(() => expect(begun).toHaveLength(8), 20_000);
  expect(begun).toEqual(['half done 0', 'half done 0', 'waits 0', 'other 0', 'waits 0', 'last -1', 'last -1', 'behind -1']);
});

test('a job that nobody has begun for weeks stays, also one of a queue of before', { timeout: 30_000 }, async () => {
  const old = await createTestDatabase();
  const later = openPool(old.address);
  const [before, after] = [await openJobQueue(old.pool, { onError: () => {} }), () => openJobQueue(later, { onError: () => {} })];
  await before.enqueue('patient', { n: 'weeks old' });
  await before.stop();
  await old.pool.query(`update jobs.queue set retention_seconds = 14 * 86400, maintain_on = null`);
  await old.pool.query(`update jobs.job set keep_until = now() - interval '1 day'`);
  const queue = await after();
  const isTidied = async () => {
    const { rows } = await old.pool.query(`select from jobs.queue where name = 'patient' and maintain_on is not null`);
    return rows.length === 1;
  };
  await vi.waitFor(async () => expect(await isTidied()).toBe(true), { timeout: 20_000, interval: 200 });
  expect(await queue.hasWork(['patient'])).toBe(true);
  await queue.enqueue('patient', { n: 'new' });
  await queue.enqueue('younger', { n: 'new' });
  const { rows } = await old.pool.query(`select data->>'n' as n from jobs.job where keep_until > now() + interval '9 years' order by n`);
  expect(rows).toEqual([{ n: 'new' }, { n: 'new' }, { n: 'weeks old' }]);
  const { rows: short } = await old.pool.query(`select name from jobs.queue where retention_seconds < 9 * 365 * 86400`);
  expect(short).toEqual([]);
  await queue.stop();
  await later.end();
  await old.drop();
});

test('what another process works on is no work of this one', async () => {
  const other = await openJobQueue(database.pool, { onError: () => {} });
  const mayEnd = Promise.withResolvers<void>();
  await other.enqueue('shared', {});
  expect([await queue.hasWork(['shared']), await other.hasWork(['shared'])]).toEqual([true, true]);
  const begun = Promise.withResolvers<void>();
  await other.work('shared', async () => {
    begun.resolve();
    await mayEnd.promise;
    return finished;
  });
  await begun.promise;
  expect([await queue.hasWork(['shared']), await other.hasWork(['shared']), await other.hasWork(['nothing'])]).toEqual([
    false,
    true,
    false,
  ]);
  mayEnd.resolve();
  await until(async () => !(await other.hasWork(['shared'])));
  await other.stop();
});

test('several processes may open the queue of a fresh database at once', async () => {
  const fresh = await createTestDatabase();
  const queues = await Promise.all([1, 2, 3].map(() => openJobQueue(fresh.pool, { onError: () => {} })));
  await Promise.all(queues.map((each) => each.enqueue('first', {})));
  for (const each of queues) await each.stop();
  await fresh.drop();
});

test('a worker is alive while it holds its lease, and no longer', async () => {
  expect(await isWorkerAlive(database.pool)).toBe(false);
  const lease = await holdWorkerLease(database.pool);
  const second = await holdWorkerLease(database.pool);
  lease.release();
  expect(await isWorkerAlive(database.pool)).toBe(true);
  second.release();
  await until(async () => !(await isWorkerAlive(database.pool)));
});

test('a worker whose connection was cut is alive again by itself', async () => {
  const { pool } = database;
  const holders = async () => {
    const { rows } = await pool.query<{ pid: number }>(
      "select pid from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and database = (select oid from pg_database where datname = current_database())",
    );
    return rows.map(({ pid }) => pid);
  };
  const lease = await holdWorkerLease(pool);
  try {
    const before = await holders();
    await pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as t (pid)', [before]);
    await expect.poll(async () => (await holders()).filter((pid) => !before.includes(pid)), { timeout: 20_000 }).toHaveLength(1);
    expect(await isWorkerAlive(pool)).toBe(true);
  } finally {
    lease.release();
  }
  await until(async () => !(await isWorkerAlive(pool)));
});

test('whoever works on a film has it again after its connection was cut, and hears of it where another was faster', async () => {
  const { pool } = database;
  const holders = `select pid from pg_locks where locktype = 'advisory' and classid = 728374 and granted
                      and database = (select oid from pg_database where datname = current_database())`;
  const holdersOf = async () => (await pool.query<{ pid: number }>(holders)).rows.map(({ pid }) => pid);
  const cut = (pids: readonly number[]) => pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as t (pid)', [pids]);
  await withVideoClaim(pool, 'film', async (lost) => {
    const before = await holdersOf();
    expect(before).toHaveLength(1);
    await cut(before);
    await expect.poll(async () => (await holdersOf()).filter((pid) => !before.includes(pid)), { timeout: 10_000 }).toHaveLength(1);
    expect(await withVideoClaim(pool, 'film', () => Promise.resolve('mine'))).toBeUndefined();
    expect(lost.aborted).toBe(false);

    const other = await pool.connect();
    const mine = await holdersOf();
    const waiting = other.query(`select pg_advisory_lock(728374, hashtext('film'))`);
    await cut(mine);
    await waiting;
    await expect.poll(() => lost.reason, { timeout: 10_000 }).toBeInstanceOf(ClaimLost);
    // Answered before anybody asks: a connection that ends reaches the database a moment later.
    await other.query(`select pg_advisory_unlock(728374, hashtext('film'))`);
    other.release(true);
  });
  expect(await withVideoClaim(pool, 'film', () => Promise.resolve('mine'))).toBe('mine');
});
