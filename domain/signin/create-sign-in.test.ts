import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { startTestProvider, type TestProvider } from '#testing/test-provider.ts';
import { createSignIn, type SignIn } from './create-sign-in.ts';

const secrets = { signingKeys: [], thumbnailKey: randomBytes(32), signInSecret: randomBytes(32).toString('base64url') };
const visit = { origin: 'https://archive.example', userAgent: '' };
const pages = { done: '/search?query=x', failed: '/sign-in/popup-done' };

let database: TestDatabase;
let provider: TestProvider;
let signIn: SignIn;
beforeAll(async () => {
  database = await createTestDatabase();
  provider = await startTestProvider();
});
afterAll(async () => {
  provider.stop();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query('delete from users');
  Object.assign(provider, { isUp: true, claims: {} });
  const base = { discoveryUrl: provider.discoveryUrl, clientId: 'client', clientSecret: 'secret', prompt: 'select_account' } as const;
  signIn = await createSignIn(database.pool, secrets, {
    publicUrl: visit.origin,
    providersAt: () => [
      { ...base, id: 'google', provesEmail: true },
      { ...base, id: 'microsoft', provesEmail: false },
    ],
    rolesOfNewUser: () => ({}),
    report: () => {},
  });
});

test('on https a person comes back to the page they wanted, with a session cookie that only this host can set', async () => {
  const answer = await walk('google');
  expect(answer.headers.get('location')).toBe('https://archive.example/search?query=x');
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('__Host-sid='));
  expect(cookie).toMatch(/Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/i);
  const session = await signIn.findSession(new Headers({ cookie: cookie?.split(';')[0] ?? '' }));
  expect(session?.user).toMatchObject({ email: 'ann@example.test', displayName: 'Ann', roles: {}, authVersion: 1 });
});

test('the way to a provider carries state, nonce and a code challenge, and one callback path per provider', async () => {
  const { location, cookies } = await signIn.start(visit, { provider: 'google', ...pages });
  expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'client',
    code_challenge_method: 'S256',
    redirect_uri: 'https://archive.example/api/auth/callback/google',
    state: expect.stringMatching(/.{32}/),
    nonce: expect.stringMatching(/.{32}/),
  });
  expect(cookies).toEqual([expect.stringMatching(/^__Host-sign-in=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/i)]);
});

test.each([
  ['for another client', { aud: 'somebody-else' }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['for another sign-in', { nonce: 'replayed' }],
  ['without a nonce', { nonce: undefined }],
  ['that is over', { exp: 1 }],
  ['without an address', { email: undefined }],
])('an ID token %s signs nobody in', async (_what, claims) => {
  provider.claims = claims;
  const answer = await walk('google');
  expect(new URL(answer.headers.get('location') ?? '').pathname).toBe('/sign-in/popup-done');
  expect(answer.headers.getSetCookie().join()).not.toContain('__Host-sid');
  expect((await database.pool.query('select 1 from sessions')).rowCount).toBe(0);
});

test('an address that the provider does not prove never opens the account of somebody known', async () => {
  await walk('google');
  provider.claims = { sub: 'mallory' };
  const byUnprovingProvider = await walk('microsoft');
  provider.claims = { sub: 'mallory', email_verified: false };
  const unverified = await walk('google');
  for (const answer of [byUnprovingProvider, unverified]) {
    expect(answer.headers.get('location')).toBe('https://archive.example/sign-in/popup-done?error=account_not_linked');
  }
  expect((await database.pool.query('select 1 from accounts')).rowCount).toBe(1);
});

test('a person is who the provider says by its own id, whatever their address and name are today', async () => {
  await walk('google');
  const [before] = (await database.pool.query('select id from users')).rows;
  provider.claims = { email: 'ann.new@example.test', name: '' };
  await walk('google');
  const after = await database.pool.query('select id, email, name from users');
  expect(after.rows).toEqual([{ id: before.id, email: 'ann.new@example.test', name: 'ann.new@example.test' }]);
});

test('roles in a profile are nothing to us', async () => {
  provider.claims = { roles: { admin: true }, auth_version: 9, authVersion: 9 };
  await walk('google');
  expect((await database.pool.query('select roles, auth_version from users')).rows).toEqual([{ roles: {}, auth_version: 1 }]);
});

test('a provider that does not answer is unavailable, and is asked again the next time', async () => {
  provider.isUp = false;
  await expect(signIn.start(visit, { provider: 'google', ...pages })).rejects.toMatchObject({ code: 'unavailable' });
  provider.isUp = true;
  expect((await walk('google')).headers.get('location')).toBe('https://archive.example/search?query=x');
});

test('a provider without credentials is not offered', async () => {
  await expect(signIn.start(visit, { provider: 'facebook', ...pages })).rejects.toMatchObject({ code: 'not_found' });
});

/** To the provider and back, as a browser does it. */
async function walk(id: string): Promise<Response> {
  const { location, cookies } = await signIn.start(visit, { provider: id, ...pages });
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
  return await signIn.finish(visit, provider.consent(location), cookie);
}
