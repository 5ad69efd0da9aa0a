import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { grantAdmin } from './roles.ts';

const boss = 'boss@archive.example';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('delete from users'));

test('what the operator does at the command line is written down, once', async () => {
  const { uid, isNew } = await grantAdmin(database.pool, boss);
  expect(isNew).toBe(true);
  expect(await grantAdmin(database.pool, boss)).toEqual({ uid, email: boss, isNew: false });
  const { rows } = await database.pool.query('select action, actor_uid, detail, came_from from audit where subject_uid = $1 order by id', [
    uid,
  ]);
  expect(rows).toEqual([
    { action: 'signed-up', actor_uid: uid, detail: '', came_from: 'command line' },
    { action: 'role-granted', actor_uid: null, detail: 'admin', came_from: 'command line' },
  ]);
});

test('one person is made of two calls at the same moment', async () => {
  const granted = await Promise.all(Array.from({ length: 5 }, () => grantAdmin(database.pool, boss)));
  expect(new Set(granted.map(({ uid }) => uid)).size).toBe(1);
});

test('whoever proved the address is meant, not who claimed it', async () => {
  await addHolder('claimant', false);
  await addHolder('holder', true);
  expect((await grantAdmin(database.pool, boss)).uid).toBe('holder');
  expect((await grantAdmin(database.pool, boss, { trustsUnproved: true })).uid).toBe('holder');
});

test('a claim is trusted only on the say-so of the operator, and counts as proved from then on', async () => {
  await addHolder('claimant', false);
  await expect(grantAdmin(database.pool, boss)).rejects.toMatchObject({ code: 'conflict' });
  await grantAdmin(database.pool, boss, { trustsUnproved: true });
  const { rows } = await database.pool.query('select id, roles, email_verified from users');
  expect(rows).toEqual([{ id: 'claimant', roles: { admin: true }, email_verified: true }]);
});

test('of several claims none is chosen', async () => {
  await addHolder('claimant', false);
  await addHolder('another', false);
  await expect(grantAdmin(database.pool, boss, { trustsUnproved: true })).rejects.toMatchObject({ code: 'conflict' });
  const { rows } = await database.pool.query('select distinct roles from users');
  expect(rows).toEqual([{ roles: {} }]);
});

async function addHolder(uid: string, isProved: boolean): Promise<void> {
  await database.pool.query('insert into users (id, name, email, email_verified) values ($1, $1, $2, $3)', [uid, boss, isProved]);
}
