import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { deleteUser } from '../users/delete-user.ts';
import { recordSignIn } from '../users/record-sign-in.ts';
import { grantAdmin } from '../users/roles.ts';
import { createSignInLink, signInByLink } from './sign-in-links.ts';

let database: TestDatabase;
let adminUid: string;
beforeAll(async () => {
  database = await createTestDatabase();
  adminUid = (await grantAdmin(database.pool, 'admin@example.test')).uid;
});
afterAll(() => database.drop());

const addresses = Array.from({ length: 20 }, (_, n) => `person-${n}@example.test`);

test('a newcomer who comes by a provider three times and by a link, all at once, is one person', async () => {
  for (const email of addresses) {
    const link = await signInWithLink(email);
    const uids = await Promise.all([byGoogle(email), byGoogle(email), byGoogle(email), link()]);
    expect(new Set(uids)).toEqual(new Set([await uidOf(email)]));
  }
});

test('5.3 somebody who signs in at the moment of their deletion is deleted, and is told or begins as a newcomer', async () => {
  for (const email of addresses) {
    const uid = await uidOf(email);
    const link = await signInWithLink(email);
    const deletion = deleteUser(database.pool, { actorUid: adminUid, uid, from: '' });
    await Promise.all([deletion, byGoogle(email), link().catch(expectDeadLink)]);
    const { rows } = await database.pool.query('select 1 from users where id = $1', [uid]);
    expect(rows).toEqual([]);
  }
});

async function byGoogle(email: string): Promise<string> {
  const account = { providerId: 'google', accountId: email };
  const profile = { name: 'Ann', email, emailVerified: true };
  return await recordSignIn(database.pool, { account, profile, from: '', rolesOfNewUser: () => ({}) });
}

/** A link that is ready to be opened; opened, whose session it began. */
async function signInWithLink(email: string): Promise<() => Promise<string>> {
  const { token } = await createSignInLink(database.pool, { email, name: 'Ann', network: 'net' });
  return async () => {
    await signInByLink(database.pool, { token, address: email, sid: null, userAgent: '', from: '' });
    return await uidOf(email);
  };
}

async function uidOf(email: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>('select id from users where email = $1', [email]);
  return rows[0]?.id ?? '';
}

function expectDeadLink(error: unknown): void {
  expect(error instanceof Problem && error.code).toBe('not_found');
}
