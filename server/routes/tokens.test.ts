import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProblemBody } from '#contract/problem.ts';
import { AccessToken, UserBearer } from '#contract/session.ts';
import { sql } from '#domain/db/sql.ts';
import { verifyAccountToken } from '#domain/tokens/account-token.ts';
import { mintVideoToken, verifyVideoToken } from '#domain/tokens/video-token.ts';
import { toAvatarAddress } from '#domain/users/avatar-address.ts';
import { removeUser } from '#domain/users/delete-user.ts';
import { setRoles } from '#domain/users/roles.ts';
import { CookieBrowser } from '#testing/cookie-browser.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

const processed = 'aaaaaaaaaa';
const processing = 'bbbbbbbbbb';
const accountTokenPath = '/api/GetVideoIndexerAccountTokenV2';
const videoTokenPath = (id: string) => `/api/GetVideoIndexerVideoAccessTokenV2/${id}`;

let server: TestServer;
let origin: string;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  origin = await server.listen();
  for (const [id, state] of [
    [processed, 'Processed'],
    [processing, 'Processing'],
  ]) {
    await server.context.pool.query(sql`
      insert into videos (id, state, name, origin, content_hash) values (${id}, ${state}, 'A film', 'catalogue', ${`${id}`.padEnd(64, '0')})`);
  }
});
afterAll(() => server.stop());

test('7.1 everybody gets an account token, and the caller in it stays over renewals', async () => {
  const browser = new CookieBrowser(origin);
  const first = await accountClaims(browser);
  expect(first).toEqual({ caller: expect.stringMatching(/^[\w-]{22}$/), adminFields: false, mayEdit: false });
  expect(await accountClaims(browser)).toEqual(first);
  expect(browser.lastSetCookie('__Host-caller')).toMatch(/HttpOnly.*Secure.*SameSite=Lax/i);
  expect((await accountClaims(new CookieBrowser(origin))).caller).not.toBe(first.caller);
});

test('a caller stays the same for a day after the last token, not after the first', async () => {
  const browser = new CookieBrowser(origin);
  await accountClaims(browser);
  const renewed = await browser.request(accountTokenPath);
  const caller = browser.cookies.get('__Host-caller');
  expect(renewed.headers.getSetCookie()).toEqual([expect.stringMatching(new RegExp(`^__Host-caller=${caller}; Max-Age=86400; `))]);
});

test('3.3 only an administrator gets a token that opens the fields of administrators', async () => {
  for (const [person, adminFields] of [
    ['viewer', false],
    ['editor', false],
    ['admin', true],
  ] as const) {
    const claims = await accountClaims(await signedIn(person));
    expect(claims).toMatchObject({ adminFields, sid: expect.any(String) });
  }
});

test.each(['viewer', 'editor', 'admin'])("7.2 the %s gets a token of a video with the user's bearer", async (person) => {
  const browser = await signedIn(person);
  const answer = await askVideoToken(browser, processed);
  expect(answer.status).toBe(200);
  const user = await browser.user();
  const { accessToken } = AccessToken.strict().parse(await answer.json());
  expect(await verifyVideoToken(server.context.secrets, accessToken)).toMatchObject({ videoId: processed, uid: user?.uid });
});

test('6.4 nobody gets a token of a video without the bearer: not a guest, not by the cookie alone, not with another token', async () => {
  const browser = await signedIn('viewer');
  const account = await server.guestToken();
  const video = await mintVideoToken(server.context.secrets, { videoId: processed, uid: 'u', sid: 's', authVersion: 1 });
  const attempts = [
    new CookieBrowser(origin).request(videoTokenPath(processed)),
    browser.request(videoTokenPath(processed)),
    ...[account, video, '', 'abc', browser.cookies.get('__Host-sid')?.slice(0, 43)].map((token) =>
      browser.request(videoTokenPath(processed), { headers: { authorization: `Bearer ${token}` } }),
    ),
    browser.request(`${videoTokenPath(processed)}?accessToken=${account}`),
  ];
  for (const answer of await Promise.all(attempts)) {
    expect([answer.status, (await problemOf(answer)).code]).toEqual([401, 'unauthenticated']);
  }
});

test('6.2 a newcomer gets no token of a video', async () => {
  const answer = await askVideoToken(await signedIn('newcomer'), processed);
  expect([answer.status, (await problemOf(answer)).code]).toEqual([403, 'forbidden']);
});

test('an unknown video, a malformed id and a video in the making get the same answer', async () => {
  const browser = await signedIn('viewer');
  const bodies = new Set<string>();
  for (const id of [processing, '0000000000', 'AAAAAAAAAA', 'x', '%00', "'", '..%2F..', 'a'.repeat(99)]) {
    const answer = await askVideoToken(browser, id);
    expect(answer.status).toBe(404);
    bodies.add(JSON.stringify({ ...(await problemOf(answer)), instance: '' }));
  }
  expect(bodies.size).toBe(1);
});

test('the bearer is given to the cookie only, never to another bearer or another site', async () => {
  const browser = await signedIn('viewer');
  const token = await bearerOf(browser);
  const guest = new CookieBrowser(origin);
  expect((await guest.request('/api/user-token')).status).toBe(401);
  expect((await guest.request('/api/user-token', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
  expect((await browser.request('/api/user-token', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  expect((await browser.request('/api/user-token', { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
});

test('signing out ends the session, the bearer and the video token at once', async () => {
  const browser = await signedIn('viewer');
  const keys = await keysOf(browser);
  expect((await browser.post('/api/sign-out')).status).toBe(200);
  await expectDead(keys);
});

test('removing a user ends the session, the bearer and the video token at once', async () => {
  const browser = await signedIn('viewer');
  const keys = await keysOf(browser);
  expect(await removeUser(server.context.pool, (await browser.user())?.uid ?? '')).toBe(true);
  await expectDead(keys);
});

test('taking every role away ends the right to watch at once, the session stays', async () => {
  const browser = await signedIn('viewer');
  const keys = await keysOf(browser);
  await setRoles(server.context.pool, (await browser.user())?.uid ?? '', {});
  expect((await browser.user())?.roles).toEqual({});
  expect((await browser.request(videoTokenPath(processed), { headers: { authorization: `Bearer ${keys.bearer}` } })).status).toBe(403);
  expect((await indexWith(keys.video)).status).toBe(403);
});

test('a role added ends the tokens made before it, so that a new one is asked for', async () => {
  const browser = await signedIn('viewer');
  const keys = await keysOf(browser);
  await setRoles(server.context.pool, (await browser.user())?.uid ?? '', { viewer: true, editor: true });
  expect((await indexWith(keys.video)).status).toBe(401);
  expect((await indexWith((await keysOf(browser)).video)).status).toBe(200);
});

test('a change that another site asks for in our name is refused', async () => {
  const browser = await signedIn('viewer');
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
    expect((await browser.request('/api/sign-out', { method: 'POST', headers })).status).toBe(403);
  }
  const form = { origin, 'content-type': 'text/plain' };
  expect((await browser.request('/api/sign-in-link', { method: 'POST', headers: form, body: '{"token":"x"}' })).status).toBe(415);
  expect(await browser.user()).not.toBeNull();
});

test('3.2 the avatar of a person is drawn here, for people who are signed in, the same every time', async () => {
  const browser = await signedIn('viewer');
  const { email = '', photoUrl: address = '' } = (await browser.user()) ?? {};
  expect(address).toBe(`/api/avatars/${createHash('sha256').update(email).digest('hex').slice(0, 32)}`);
  const picture = await browser.request(address);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  const drawn = await picture.text();
  expect(drawn).toMatch(/^<svg[^>]*>.*<\/svg>$/s);
  expect(drawn).not.toMatch(/script|href|on\w+=/i);
  expect(await (await browser.request(address)).text()).toBe(drawn);
  // Another hash is another picture.
  const other = await browser.request(toAvatarAddress('somebody.else@people.example'));
  expect([other.status, (await other.text()) === drawn]).toEqual([200, false]);
  // Nothing in it is fetched from anywhere.
  expect(drawn.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/\/\/|url\(|@import|<image|<use/i);
  expect((await browser.request('/api/avatars/not-a-hash')).status).toBe(404);
  expect((await new CookieBrowser(origin).request(address)).status).toBe(401);
});

async function signedIn(person: string): Promise<CookieBrowser> {
  await server.context.pool.query('delete from users');
  const browser = new CookieBrowser(origin);
  await browser.signIn('google', person);
  return browser;
}

async function accountClaims(browser: CookieBrowser) {
  const { accessToken } = AccessToken.strict().parse(await (await browser.request(accountTokenPath)).json());
  return await verifyAccountToken(server.context.secrets, accessToken);
}

async function bearerOf(browser: CookieBrowser): Promise<string> {
  return UserBearer.strict().parse(await (await browser.request('/api/user-token')).json()).token;
}

async function askVideoToken(browser: CookieBrowser, id: string): Promise<Response> {
  const headers = { authorization: `Bearer ${await bearerOf(browser)}`, 'content-type': 'application/json' };
  return await new CookieBrowser(origin).request(videoTokenPath(id), { headers });
}

/** Everything that opens a door for this browser's user. */
async function keysOf(browser: CookieBrowser) {
  const bearer = await bearerOf(browser);
  const { accessToken: video } = AccessToken.parse(await (await askVideoToken(browser, processed)).json());
  const old = new CookieBrowser(origin);
  for (const [name, value] of browser.cookies) old.cookies.set(name, value);
  expect((await indexWith(video)).status).toBe(200);
  return { bearer, video, old };
}

async function expectDead({ bearer, video, old }: { bearer: string; video: string; old: CookieBrowser }): Promise<void> {
  expect(await old.user()).toBeNull();
  expect((await old.request('/api/user-token')).status).toBe(401);
  expect((await old.request(videoTokenPath(processed), { headers: { authorization: `Bearer ${bearer}` } })).status).toBe(401);
  expect((await indexWith(video)).status).toBe(401);
}

async function problemOf(answer: Response): Promise<ProblemBody> {
  return ProblemBody.parse(await answer.json());
}

async function indexWith(accessToken: string): Promise<Response> {
  return await fetch(`${origin}${server.account}/Videos/${processed}/Index?accessToken=${accessToken}`);
}
