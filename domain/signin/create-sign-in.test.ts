import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { brokenAnswers } from '#testing/broken-answers.ts';
import type { TestProvider } from '#testing/test-provider.ts';
import { prepareSignIn, type TestSignIn, visit } from '#testing/test-sign-in.ts';
import type { SignIn } from './create-sign-in.ts';

const pages = { done: '/search?query=x', failed: '/sign-in/popup-done' };

let prepared: TestSignIn;
let provider: TestProvider;
let signIn: SignIn;
beforeAll(async () => {
  prepared = await prepareSignIn();
  provider = prepared.provider;
});
afterAll(() => prepared.stop());
beforeEach(async () => {
  signIn = await prepared.startAnew();
});

test('on https a person comes back to the page they wanted, with a session cookie that only this host can set', async () => {
  const { location, cookies, hasSignedIn } = await walk('google');
  expect([location, hasSignedIn]).toEqual(['https://archive.example/search?query=x', true]);
  const cookie = cookies.find((one) => one.startsWith('__Host-sid='));
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
  [undefined, 'header'],
  [['client_secret_basic'], 'header'],
  [['private_key_jwt', 'client_secret_basic'], 'header'],
  [['client_secret_post'], 'body'],
  [['client_secret_basic', 'client_secret_post'], 'body'],
] as const)(
  'a provider of one’s own that lists %j hears our secret in its %s, and one that is known in the body',
  async (methods, place) => {
    provider.authMethods = methods && [...methods];
    expect([(await walk('oidc')).hasSignedIn, provider.provedBy]).toEqual([true, place]);
    expect([(await walk('google')).hasSignedIn, provider.provedBy]).toEqual([true, 'body']);
  },
);

test('sign-ins that nobody finishes are forgotten when others are begun', async () => {
  const { pool } = prepared.database;
  for (let n = 0; n < 3; n += 1) await signIn.start(visit, { provider: 'google', ...pages });
  await pool.query("update verifications set expires_at = now() - interval '1 second'");
  await signIn.start(visit, { provider: 'facebook', ...pages });
  expect((await pool.query('select 1 from verifications')).rowCount).toBe(1);
});

test('a provider that does not answer is unavailable, and is asked again the next time', async () => {
  provider.isUp = false;
  await expect(signIn.start(visit, { provider: 'google', ...pages })).rejects.toMatchObject({ code: 'unavailable' });
  provider.isUp = true;
  expect((await walk('google')).location).toBe('https://archive.example/search?query=x');
});

test.each(Object.entries(brokenAnswers))(
  'a provider whose addresses are %s is unavailable before long, and the others are not',
  async (_what, answer) => {
    provider.answers.set('/.well-known/openid-configuration', answer);
    await expect(signIn.start(visit, { provider: 'google', ...pages })).rejects.toMatchObject({ code: 'unavailable' });
    expect((await signIn.start(visit, { provider: 'facebook', ...pages })).location).toContain('/auth?');
  },
);

test('a provider without credentials is not offered', async () => {
  await expect(signIn.start(visit, { provider: 'github', ...pages })).rejects.toMatchObject({ code: 'not_found' });
});

/** To the provider and back, as a browser does it. */
async function walk(id: string) {
  const { location, cookies } = await signIn.start(visit, { provider: id, ...pages });
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
  return await signIn.finish(visit, { ...provider.consent(location), cookie });
}
