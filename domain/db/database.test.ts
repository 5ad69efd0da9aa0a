import { expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { eachRow, inTransaction } from './database.ts';
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
