import { expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { inTransaction } from '../db/database.ts';
import { lockRoles } from '../users/roles.ts';
import { withWriterLock } from './keep-index.ts';

test('roles change while the index is being written', async () => {
  const database = await createTestDatabase();
  try {
    let isLocked = false;
    await withWriterLock(database.pool, () =>
      inTransaction(database.pool, async (db) => {
        await db.query(`set local lock_timeout = '500ms'`);
        await lockRoles(db);
        isLocked = true;
      }),
    );
    expect(isLocked).toBe(true);
  } finally {
    await database.drop();
  }
});
