import { afterAll, beforeAll, expect, test } from 'vitest';
import { providerIds } from '#contract/archive.ts';
import { ListUsersInput } from '#contract/users.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { listUsers } from './users.ts';

let database: TestDatabase;

const people: [uid: string, name: string, email: string | null, roles: object, signedUp: string][] = [
  ['u1', 'ada', 'ada@example.test', { admin: true }, '2026-01-01'],
  ['u2', 'Böhm', 'bb@example.test', {}, '2026-01-03'],
  ['u3', 'Carl', 'carl_x@example.test', { viewer: true }, '2026-01-02'],
  ['u4', '100%', null, { viewer: false }, '2026-01-02'],
  ['u5', 'Back\\slash', 'ed@example.test', { editor: true }, '2026-01-05'],
];

beforeAll(async () => {
  database = await createTestDatabase();
  for (const [id, name, email, roles, at] of people)
    await database.pool.query('insert into users (id, name, email, roles, created_at) values ($1, $2, $3, $4, $5)', [
      id,
      name,
      email,
      roles,
      at,
    ]);
  await database.pool.query(`insert into accounts (id, user_id, provider_id, account_id)
    values ('a1', 'u2', 'google', '1'), ('a2', 'u2', 'email', 'bb@example.test'), ('a3', 'u2', 'google', '2'), ('a4', 'u3', 'twitter', '3')`);
});
afterAll(() => database.drop());

test.each<[asked: object, uids: string]>([
  [{}, 'u1 u3 u4 u2 u5'],
  [{ order: 'desc' }, 'u5 u2 u3 u4 u1'],
  [{ group: 'waiting' }, 'u4 u2'],
  [{ group: 'active' }, 'u1 u3 u5'],
  [{ sort: 'displayName' }, 'u4 u1 u5 u2 u3'],
  [{ sort: 'displayName', order: 'desc' }, 'u3 u2 u5 u1 u4'],
  [{ sort: 'email' }, 'u1 u2 u3 u5 u4'],
  [{ sort: 'email', order: 'desc' }, 'u5 u3 u2 u1 u4'],
  [{ search: 'BÖHM' }, 'u2'],
  [{ search: ' carl ' }, 'u3'],
  [{ search: 'EXAMPLE.test' }, 'u1 u3 u2 u5'],
  [{ search: '%' }, 'u4'],
  [{ search: '_' }, 'u3'],
  [{ search: '\\' }, 'u5'],
  [{ search: "'; drop table users; --" }, ''],
  [{ search: 'c\0arl' }, 'u3'],
  [{ search: 'example', group: 'waiting' }, 'u2'],
  [{ pageSize: '2' }, 'u1 u3'],
  [{ pageSize: '2', skip: '4' }, 'u5'],
  [{ skip: '9' }, ''],
])('6.6 the users collection is filtered, sorted and paged as asked: %j', async (asked, uids) => {
  const { users } = await list(asked);
  expect(users.map(({ uid }) => uid).join(' ')).toBe(uids);
});

test('a page says how many there are in all and where the next one begins', async () => {
  expect(await list({ pageSize: '2' })).toMatchObject({ total: 5, nextPage: { skip: 2, done: false } });
  expect(await list({ pageSize: '2', skip: '4' })).toMatchObject({ total: 5, nextPage: { skip: 6, done: true } });
  expect(await list({ group: 'waiting', pageSize: '2' })).toMatchObject({ total: 2, nextPage: { skip: 2, done: true } });
  expect(await list({ skip: '9' })).toMatchObject({ total: 5, nextPage: { done: true } });
});

test('3.1 a row says by which ways somebody signs in, and has no e-mail when they have none', async () => {
  const { users } = await list({});
  const rows = users.map(({ uid, email, signInWays }) => [uid, email, signInWays]);
  expect(rows).toEqual([
    ['u1', 'ada@example.test', ['email']],
    ['u3', 'carl_x@example.test', ['twitter']],
    ['u4', '', ['email']],
    ['u2', 'bb@example.test', ['email', 'google']],
    ['u5', 'ed@example.test', ['email']],
  ]);
});

test('every provider that there is counts as a way to sign in', async () => {
  const { pool } = database;
  await pool.query(
    "insert into accounts (id, user_id, provider_id, account_id) select 'all-' || id, 'u5', id, '5' from unnest($1::text[]) as id",
    [providerIds],
  );
  const { users } = await list({ search: 'slash' });
  expect(users.map(({ signInWays }) => signInWays)).toEqual([[...providerIds].sort()]);
});

test('cautions stand at those who wait only', async () => {
  const { pool } = database;
  await pool.query(`insert into users (id, name, email, roles, created_at) values
    ('twin', 'Ada', 'twin@example.test', '{"viewer": true}', '2026-02-01'), ('copy', 'ADA', 'ada@examp1e.test', '{}', '2026-02-02')`);
  const { users } = await list({ search: 'ada' });
  expect(users.map(({ uid, cautions }) => [uid, cautions])).toEqual([
    ['u1', []],
    ['twin', []],
    ['copy', ['same-name', 'similar-address']],
  ]);
  await pool.query("delete from users where id in ('twin', 'copy')");
});

async function list(asked: object) {
  return await listUsers(database.pool, ListUsersInput.parse(asked));
}
