import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { sql } from '../db/sql.ts';
import { SearchTimeout } from '../scheduling/search-timeout.ts';
import { listRows } from './search-statement.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the server itself ends a statement of a list that takes too long, and later ones have no limit', async () => {
  const { pool } = database;
  await expect(listRows(pool, sql`select pg_sleep(${60})`)).rejects.toThrow(SearchTimeout);
  const running = await pool.query(
    sql`
      select 1 from pg_stat_activity
       where datname = current_database() and state = 'active' and query like ${'%pg_sleep%'} and pid <> pg_backend_pid()`,
  );
  expect(running.rowCount).toBe(0);
  const limit = sql`select current_setting('statement_timeout') as "limit"`;
  expect([await listRows(pool, limit), (await pool.query(limit)).rows]).toEqual([[{ limit: '2s' }], [{ limit: '0' }]]);
});
