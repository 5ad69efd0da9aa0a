import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { toSafeReturnUrl } from '#contract/page-routes.ts';
import { redirectSignInAddress } from '#contract/sign-in.ts';
import { sql } from '#domain/db/sql.ts';
import { setRoles } from '#domain/users/roles.ts';
import { CookieBrowser } from '#testing/cookie-browser.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';
import { practicePeople } from '../practice/practice-people.ts';

const RedirectEntry = z.object({ enc: z.string().optional(), rawQuery: z.string().optional() });

let server: TestServer;
let origin: string;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  origin = await server.listen();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.context.pool.query('delete from users');
});

test.each(practicePeople)('6.1 $name signs in and has the roles of that part', async ({ id, name, email, roles }) => {
  const browser = new CookieBrowser(origin);
  const done = await browser.signIn('google', id);
  expect([done.status, done.url]).toEqual([200, `${origin}/sign-in/popup-done`]);
  expect(await done.text()).toContain('data-outcome="signed-in"');
  expect(await browser.user()).toMatchObject({ email, displayName: name, roles });
});

test.each(['none', '__proto__', '%00', 'google%00'])(
  'a callback of a provider that there is not (%s) belongs to no sign-in',
  async (id) => {
    const { status, headers } = await new CookieBrowser(origin).request(`/api/auth/callback/${id}?code=1&state=2`);
    expect([status, headers.get('location')]).toEqual([302, `${origin}/sign-in/popup-done?error=state_mismatch`]);
  },
);

test('the same person behind both buttons is one user, because the address is proved on both sides', async () => {
  const browser = new CookieBrowser(origin);
  await browser.signIn('google', 'viewer');
  const first = await browser.user();
  await browser.signIn('microsoft', 'viewer');
  expect(await browser.user()).toEqual(first);
  const { rows } = await server.context.pool.query('select provider_id from accounts order by 1');
  expect(rows).toEqual([{ provider_id: 'google' }, { provider_id: 'microsoft' }]);
});

test('signing in again leaves the roles as an administrator set them', async () => {
  const browser = new CookieBrowser(origin);
  await browser.signIn('google', 'viewer');
  await setRoles(server.context.pool, (await browser.user())?.uid ?? '', {});
  await browser.signIn('google', 'viewer');
  expect((await browser.user())?.roles).toEqual({});
});

test('a removed user who signs in again starts as a new one', async () => {
  const browser = new CookieBrowser(origin);
  await browser.signIn('google', 'newcomer');
  const before = await browser.user();
  await server.context.pool.query('delete from users');
  expect(await browser.user()).toBeNull();
  await browser.signIn('google', 'newcomer');
  expect((await browser.user())?.uid).not.toBe(before?.uid);
});

test('the session is a secure cookie that scripts and other hosts cannot touch, and the database keeps its hash alone', async () => {
  const browser = new CookieBrowser(origin);
  await browser.signIn('google', 'viewer');
  expect(browser.lastSetCookie('__Host-sid')).toMatch(/^__Host-sid=[\w.%-]+; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/i);
  const secret = browser.cookies.get('__Host-sid')?.slice(0, 43) ?? '';
  expect(secret).toMatch(/^[\w-]{43}$/);
  const dump = await server.context.pool.query('select to_jsonb(s) || to_jsonb(a) as everything from sessions s, accounts a');
  const [{ everything }] = dump.rows;
  expect(JSON.stringify(everything)).not.toContain(secret);
  expect(everything).toMatchObject({ access_token: null, refresh_token: null, id_token: null, signed_in_by: 'google' });
});

test('Safari, which takes no secure cookie over http, signs in on this machine with a plain one', async () => {
  const browser = new CookieBrowser(
    origin,
    'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.0 Safari/605.1.15',
  );
  await browser.signIn('google', 'viewer');
  expect([...browser.cookies.keys()]).toContain('sid');
  expect(browser.lastSetCookie('sid')).not.toMatch(/secure/i);
  expect((await browser.user())?.displayName).toBe('Victor Viewer');
});

test('signing in anew ends the session that the browser had', async () => {
  const browser = new CookieBrowser(origin);
  await browser.signIn('google', 'viewer');
  const old = new CookieBrowser(origin);
  for (const [name, value] of browser.cookies) old.cookies.set(name, value);
  await browser.signIn('google', 'editor');
  expect(await old.user()).toBeNull();
});

test('who cancels at the provider is told so and is nobody', async () => {
  const browser = new CookieBrowser(origin);
  const done = await browser.signIn('google', '');
  expect(done.status).toBe(400);
  expect(await done.text()).toContain('data-outcome="failed" data-message="The sign-in was cancelled."');
  expect(await browser.user()).toBeNull();
});

test('a callback counts once, in the browser that began, and only when the code is sent by GET', async () => {
  const browser = new CookieBrowser(origin);
  const stranger = new CookieBrowser(origin);
  const callback = await callbackOf(browser, 'viewer');
  expect((await browser.request(callback, { method: 'HEAD' })).status).toBe(200);
  const stolen = await stranger.open(callback);
  expect([stolen.status, await stranger.user()]).toEqual([400, null]);

  const again = await callbackOf(browser, 'viewer');
  expect((await browser.open(again)).status).toBe(200);
  await browser.post('/api/sign-out');
  expect((await browser.open(again)).status).toBe(400);
  expect(await browser.user()).toBeNull();
});

test.each(['', '?state=made-up&code=made-up', '?code=x', '?error=access_denied', '?state=x&code=y&iss=https%3A%2F%2Fevil.example'])(
  'a made-up callback (%s) signs nobody in and ends on our own page',
  async (query) => {
    const browser = new CookieBrowser(origin);
    const done = await browser.open(`/api/auth/callback/google${query}`);
    expect([done.status, new URL(done.url).pathname]).toEqual([400, '/sign-in/popup-done']);
    expect(await browser.user()).toBeNull();
  },
);

test('a sign-in is begun with a provider that is offered, and from our own pages', async () => {
  const browser = new CookieBrowser(origin);
  expect((await browser.request('/sign-in/popup-start?provider=nobody')).status).toBe(404);
  expect((await browser.request('/sign-in/popup-start')).status).toBe(404);
  const foreign = await browser.request('/sign-in/popup-start?provider=google', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(foreign.status).toBe(403);
});

test('while the database is away the window of a sign-in says that the archive is busy, on the way out and on the way back', async () => {
  const browser = new CookieBrowser(origin);
  const state = new URL((await browser.request('/sign-in/popup-start?provider=google')).headers.get('location') ?? '').searchParams.get(
    'state',
  );
  const away = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
  for (const method of ['query', 'connect'] as const) vi.spyOn(server.context.pool, method).mockRejectedValue(away);
  onTestFinished(() => void vi.restoreAllMocks());
  for (const path of ['/sign-in/popup-start?provider=google', `/api/auth/callback/google?code=x&state=${state}`]) {
    const answer = await browser.request(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${origin}/sign-in/popup-done?error=busy`]);
  }
  const page = await browser.request('/sign-in/popup-done?error=busy');
  expect(await page.text()).toContain('The archive itself is busy for a moment. Try again.');
  const whole = await browser.request('/sign-in/redirect-start?provider=google&returnUrl=%2Fvideo%2F00112233ff');
  expect(whole.headers.get('location')).toContain('/login?returnUrl=%2Fvideo%2F00112233ff&error=busy');
});

test('6.4 the whole-page sign-in ends where the visitor was going', async () => {
  const browser = new CookieBrowser(origin);
  const start = await browser.open(redirectSignInAddress('google', '/video/00112233ff?t=90'));
  const done = await browser.choose(start, 'viewer');
  expect(done.url).toBe(`${origin}/video/00112233ff?t=90`);
});

test('6.4 whatever the returnUrl says, the way back leads to a page of ours', async () => {
  const entries = readCorpus('open-redirect', RedirectEntry);
  const browser = new CookieBrowser(origin);
  const targets = new Set<string>();
  for (const { enc, rawQuery } of entries) {
    const query = rawQuery?.replace(/^\?/, '') ?? `returnUrl=${enc}`;
    const answer = await browser.request(`/sign-in/redirect-start?provider=google&${query}`);
    const state = new URL(answer.headers.get('location') ?? '').searchParams.get('state') ?? '';
    targets.add(await callbackUrlOf(state));
  }
  expect(entries.length).toBeGreaterThan(200);
  for (const target of targets) {
    expect(target.startsWith(`${origin}/`)).toBe(true);
    expect(toSafeReturnUrl(target.slice(origin.length))).toBe(target.slice(origin.length));
  }
});

test.each([
  'POST /api/auth/sign-in/social',
  'GET /api/auth/get-session',
  'POST /api/auth/sign-up/email',
  'POST /api/auth/update-user',
  'GET /api/auth/list-sessions',
])('the library behind sign-in answers nothing but callbacks: %s is not there', async (route) => {
  const [method = '', path = ''] = route.split(' ');
  const body = method === 'POST' ? JSON.stringify({ provider: 'google', roles: { admin: true } }) : null;
  const answer = await new CookieBrowser(origin).request(path, { method, body, headers: { 'content-type': 'application/json' } });
  expect(answer.status).toBe(404);
});

test('who begins sign-ins without end is told to wait', async () => {
  const limited = await startTestServer({ RUSHES_TOKENS_PER_MINUTE: '1', RUSHES_TOKEN_BURST: '3' });
  try {
    const browser = new CookieBrowser(await limited.listen());
    for (let n = 0; n < 3; n++) expect((await browser.request('/sign-in/popup-start?provider=google')).status).toBe(302);
    const refused = await browser.request('/sign-in/popup-start?provider=google');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    // Who looks at the window sees a page, and the page that opened it hears of it.
    for (const address of ['/sign-in/popup-start?provider=google', '/sign-in/redirect-start?provider=google&returnUrl=%2F']) {
      const told = await browser.request(address, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([told.status, told.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
      expect(await told.text()).toMatch(/data-outcome="failed" data-message="Too many requests\. Try again in \d+ s\."/);
    }
  } finally {
    await limited.stop();
  }
});

/** Goes to the provider and chooses, and stops before the callback. */
async function callbackOf(browser: CookieBrowser, person: string): Promise<string> {
  const page = await browser.open('/sign-in/popup-start?provider=google');
  const chosen = await browser.submit(page, person);
  const callback = await browser.request(chosen.headers.get('location') ?? '');
  return callback.headers.get('location') ?? '';
}

async function callbackUrlOf(state: string): Promise<string> {
  const { rows } = await server.context.pool.query<{ value: string }>(
    sql`select value from verifications where identifier = ${`auth-state:${state}`}`,
  );
  return JSON.parse(rows[0]?.value ?? '{}').callbackURL;
}
