import { expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { migrate } from './migrate.ts';

test('migrating twice, and from several processes at once, applies every file once', async () => {
  const database = await createTestDatabase();
  try {
    expect(await migrate(database.pool)).toEqual([]);
    await Promise.all([migrate(database.pool), migrate(database.pool), migrate(database.pool)]);
    const { rows } = await database.pool.query('select count(*)::int as n, count(distinct name)::int as names from migrations');
    expect(rows[0].n).toBe(rows[0].names);
  } finally {
    await database.drop();
  }
});
