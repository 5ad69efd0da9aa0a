import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { setRoles } from '../users/roles.ts';
import { findSessionBySecret, startSession } from './sessions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a session that ran out by the rules of administrators does not live again by those of viewers', async () => {
  const { pool } = database;
  await pool.query("insert into users (id, email, name) values ('ada', 'ada@people.example', 'Ada')");
  await setRoles(pool, 'ada', { viewer: true, admin: true });
  const { secret } = await startSession(pool, 'ada', { userAgent: '', signedInBy: 'google' });
  await pool.query("update sessions set created_at = now() - interval '8 days'");
  expect(await findSessionBySecret(pool, secret)).toBeNull();
  await setRoles(pool, 'ada', { viewer: true });
  expect(await findSessionBySecret(pool, secret)).toBeNull();
});

test.each([{ viewer: 'true' }, { admin: 1 }, { owner: true }, { editor: null }])(
  'roles are three switches: the database refuses %j',
  async (roles) => {
    const odd = "insert into users (id, email, name, roles) values ('odd', 'odd@people.example', 'Odd', $1)";
    await expect(database.pool.query(odd, [JSON.stringify(roles)])).rejects.toMatchObject({ code: '23514' });
  },
);
