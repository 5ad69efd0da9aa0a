import { expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { inTransaction } from './database.ts';

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
