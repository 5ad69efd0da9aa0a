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

test('two people whose provider exchanges their addresses stay who they are, and what it took from one is not kept for them', async () => {
  const [one, two] = ['one@example.test', 'two@example.test'];
  const uids = { ann: await byGoogle(one, 'ann'), bea: await byGoogle(two, 'bea') };
  const proved = async () => {
    const { rows } = await database.pool.query<{ id: string; email: string | null }>(
      'select id, case when email_verified then email end as email from users where id = any ($1)',
      [Object.values(uids)],
    );
    const of = (uid: string) => rows.find(({ id }) => id === uid)?.email;
    return { ann: of(uids.ann), bea: of(uids.bea) };
  };
  for (const [ofAnn, ofBea] of [
    [two, one],
    [one, two],
  ] as const) {
    expect(await byGoogle(ofAnn, 'ann')).toBe(uids.ann);
    // Whoever has the other mailbox comes in by it as nobody but themselves.
    expect(await proved()).toEqual({ ann: null, bea: ofAnn });
    expect(await byGoogle(ofBea, 'bea')).toBe(uids.bea);
    expect(await proved()).toEqual({ ann: null, bea: ofBea });
    await byGoogle(ofAnn, 'ann');
    expect(await proved()).toEqual({ ann: ofAnn, bea: ofBea });
  }
});

test('an address that a link by e-mail has proved stays proved, whatever a provider says of another', async () => {
  await byGoogle('kept@example.test', 'carl');
  await (await signInWithLink('kept@example.test'))();
  await byGoogle('one@example.test', 'carl');
  const { rows } = await database.pool.query(`select email_verified as proved from users where email = 'kept@example.test'`);
  expect(rows).toEqual([{ proved: true }]);
});

async function byGoogle(email: string, accountId = email): Promise<string> {
  const account = { providerId: 'google', accountId };
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
