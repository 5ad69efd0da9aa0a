import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { sql } from '#domain/db/sql.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import type { TestDatabase } from '#testing/test-database.ts';
import type { TestProvider } from '#testing/test-provider.ts';
import { prepareSignIn, type TestSignIn, visit } from '#testing/test-sign-in.ts';
import type { SignIn } from './create-sign-in.ts';

const pages = { done: '/search?query=x', failed: '/sign-in/popup-done' };

let prepared: TestSignIn;
let database: TestDatabase;
let provider: TestProvider;
let signIn: SignIn;
beforeAll(async () => {
  prepared = await prepareSignIn();
  ({ database, provider } = prepared);
});
afterAll(() => prepared.stop());
beforeEach(async () => {
  signIn = await prepared.startAnew();
});

const Callback = z.object({ rawQuery: z.string().optional(), note: z.string().optional(), id: z.string() });
const callbacks = readCorpus('oauth', Callback).flatMap(({ rawQuery, ...entry }) =>
  rawQuery === undefined ? [] : [{ ...entry, rawQuery }],
);

test('the corpus has callbacks to try', () => expect(callbacks.length).toBeGreaterThan(20));

test.each(callbacks)('a hostile callback signs nobody in and ends on our own page: $id $note', async ({ rawQuery }) => {
  const { query, cookie } = await fill(rawQuery);
  await database.pool.query('delete from users');
  const { location, cookies, hasSignedIn } = await signIn.finish(visit, { provider: 'google', query, cookie });
  const target = new URL(location);
  expect([target.origin, target.pathname, target.searchParams.has('error')]).toEqual([visit.origin, '/sign-in/popup-done', true]);
  expect([hasSignedIn, cookies.join()]).toEqual([false, expect.not.stringContaining('sid=')]);
  expect((await database.pool.query('select 1 from sessions union all select 1 from users')).rowCount).toBe(0);
});

const forgeries: [string, () => void][] = [
  ['for another client', () => Object.assign(provider, { claims: { aud: 'somebody-else' } })],
  ['of another issuer', () => Object.assign(provider, { claims: { iss: 'https://evil.example' } })],
  ['for another sign-in', () => Object.assign(provider, { claims: { nonce: 'replayed' } })],
  ['without a nonce', () => Object.assign(provider, { claims: { nonce: undefined } })],
  ['that is over', () => Object.assign(provider, { claims: { exp: 1 } })],
  ['made in an hour', () => Object.assign(provider, { claims: { iat: Math.floor(Date.now() / 1_000) + 3_600 } })],
  ['without an address', () => Object.assign(provider, { claims: { email: undefined } })],
  ['with an address that is none', () => Object.assign(provider, { claims: { email: 'a@x.example, victim@example.test' } })],
  ['without a subject', () => Object.assign(provider, { claims: { sub: undefined } })],
  ['with an empty subject', () => Object.assign(provider, { claims: { sub: '' } })],
  ['with a number for a subject', () => Object.assign(provider, { claims: { sub: 7 } })],
  ['with a subject of 10 kB', () => Object.assign(provider, { claims: { sub: 'x'.repeat(10_000) } })],
  ['with NUL in its subject', () => Object.assign(provider, { claims: { sub: 'ann\0' } })],
  ['of an unknown key', () => Object.assign(provider, { header: { kid: '../../dev/null' } })],
  ['that is missing', () => (provider.sign = () => Promise.resolve(''))],
  ['that is not signed', () => (provider.sign = (claims) => Promise.resolve(new UnsecuredJWT(claims).encode()))],
  [
    'signed with the public key as a secret',
    () => (provider.sign = (claims, pem) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(Buffer.from(pem))),
  ],
];

test.each(forgeries)('an ID token %s signs nobody in', async (_what, forge) => {
  forge();
  const { location, cookies } = await walk('google');
  expect(new URL(location).searchParams.get('error')).toMatch(/^(unable_to_get_user_info|email_not_found)$/);
  expect(cookies.join()).not.toContain('sid=');
  expect((await database.pool.query('select 1 from sessions union all select 1 from users')).rowCount).toBe(0);
});

test('an address that the provider does not prove never opens the account of somebody known', async () => {
  await walk('google');
  const attempts: [string, Record<string, unknown>][] = [
    ['microsoft', { sub: 'mallory' }],
    ['google', { sub: 'mallory', email_verified: false }],
    ['google', { sub: 'mallory', email_verified: undefined }],
    ['google', { sub: 'mallory', email_verified: 'true' }],
    ['google', { sub: 'ANN', email_verified: false }],
  ];
  for (const [id, claims] of attempts) {
    provider.claims = claims;
    expect((await walk(id)).location).toBe('https://archive.example/sign-in/popup-done?error=account_not_linked');
  }
  expect((await database.pool.query('select 1 from accounts')).rowCount).toBe(1);
});

test('a person is who the provider says by its own id; a new address is taken over when it is proved and free', async () => {
  await walk('google');
  const person = async () => (await database.pool.query('select email, name from users where id = $1', [id])).rows[0];
  const [{ id }] = (await database.pool.query('select id from users')).rows;
  await database.pool.query(sql`insert into users (id, email, name) values ('other', 'taken@example.test', 'Other')`);

  provider.claims = { email: 'victim@example.test', email_verified: false, name: 'Ann B' };
  await walk('google');
  expect(await person()).toEqual({ email: 'ann@example.test', name: 'Ann B' });

  provider.claims = { email: 'taken@example.test', name: '' };
  await walk('google');
  expect((await person()).email).toBe('ann@example.test');

  provider.claims = { email: 'Ann.New@example.test' };
  await walk('google');
  expect(await person()).toEqual({ email: 'ann.new@example.test', name: 'Ann' });
  expect((await database.pool.query('select 1 from users')).rowCount).toBe(2);
});

test('roles and pictures in a profile are nothing to us, and a name is cleaned', async () => {
  provider.claims = { roles: { admin: true }, auth_version: 9, picture: 'javascript:alert(1)', name: 'Ann\u202egpj.exe\u0007' };
  await walk('google');
  const { rows } = await database.pool.query('select roles, auth_version, image, name from users');
  expect(rows).toEqual([{ roles: {}, auth_version: 1, image: null, name: 'Anngpj.exe' }]);
});

/** To the provider and back, as a browser does it. */
async function walk(id: string) {
  const { callback, cookie } = await begin(id);
  return await signIn.finish(visit, { ...callback, cookie });
}

async function begin(id: string) {
  const { location, cookies } = await signIn.start(visit, { provider: id, ...pages });
  const callback = provider.consent(location);
  const query = new URLSearchParams(callback.query);
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
  return { callback, cookie, code: query.get('code') ?? '', state: query.get('state') ?? '' };
}

/** Puts codes and states of sign-ins under way into a query of the corpus. */
async function fill(rawQuery: string): Promise<{ query: string; cookie: string }> {
  const used = await begin('google');
  await signIn.finish(visit, { ...used.callback, cookie: used.cookie });
  const [mine, other, expired, microsoft] = [await begin('google'), await begin('google'), await begin('google'), await begin('microsoft')];
  await database.pool.query(sql`
    update verifications set expires_at = now() - interval '1 minute', value = (value::jsonb || '{"expiresAt": 1}')::text
     where identifier = ${`auth-state:${expired.state}`}`);
  const words: Record<string, string> = {
    CODE: mine.code,
    STATE: mine.state,
    USED_CODE: used.code,
    USED_STATE: used.state,
    OTHER_SESSION_STATE: other.state,
    EXPIRED_STATE: expired.state,
    CODE_OF_MICROSOFT: microsoft.code,
    STATE_OF_GOOGLE: mine.state,
    JWT: 'a.b.c',
  };
  const cookie = rawQuery.includes('{EXPIRED_STATE}') ? expired.cookie : mine.cookie;
  return { query: rawQuery.replace(/\{(\w+)\}/g, (_all, word: string) => words[word] ?? word), cookie };
}
