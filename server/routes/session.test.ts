import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ProblemBody } from '#contract/problem.ts';
import { sql } from '#domain/db/sql.ts';
import { createSignInLink } from '#domain/signin/sign-in-links.ts';
import { grantAdmin } from '#domain/users/grant-admin.ts';
import { CookieBrowser } from '#testing/cookie-browser.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let origin: string;
beforeAll(async () => {
  server = await startTestServer({ RUSHES_TOKENS_PER_MINUTE: '9999999', RUSHES_TOKEN_BURST: '9999999' });
  origin = await server.listen();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.context.pool.query('delete from users');
});

test('a one-time link signs its person in, once, whoever else asks at the same moment', async () => {
  const token = await newLink();
  const browsers = Array.from({ length: 20 }, () => new CookieBrowser(origin));
  const answers = await Promise.all(browsers.map((browser) => browser.post('/api/sign-in-link', { token })));
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(404)]);
  const users = await Promise.all(browsers.map((browser) => browser.user()));
  expect(users.filter(Boolean)).toMatchObject([
    { email: 'owner@archive.example', displayName: 'owner@archive.example', roles: { admin: true } },
  ]);
});

test('looking at the page of a link never spends it', async () => {
  const token = await newLink();
  const scanner = new CookieBrowser(origin);
  for (const method of ['HEAD', 'GET', 'GET']) await scanner.request(`/login-email-link?token=${token}`, { method });
  expect((await scanner.request(`/api/sign-in-link?token=${token}`)).status).toBe(404);
  expect(await scanner.user()).toBeNull();
  const person = new CookieBrowser(origin);
  expect((await person.post('/api/sign-in-link', { token })).status).toBe(200);
  expect(await person.user()).not.toBeNull();
});

test('a link that is too old, was replaced, or never was gets one and the same answer', async () => {
  const replaced = await newLink();
  const old = await newLink();
  await server.context.pool.query("update sign_in_links set expires_at = now() - interval '1 second'");
  const bodies = new Set<string>();
  for (const token of [replaced, old, 'x'.repeat(43), '']) {
    const answer = await new CookieBrowser(origin).post('/api/sign-in-link', { token });
    expect(answer.status).toBe(404);
    bodies.add(JSON.stringify({ ...ProblemBody.parse(await answer.json()), instance: '' }));
  }
  expect(bodies.size).toBe(1);
});

test('the database keeps the hash of a link, not the link', async () => {
  const token = await newLink();
  const { rows } = await server.context.pool.query('select to_jsonb(l)::text as row from sign_in_links l');
  expect(rows[0].row).not.toContain(token);
});

test.each([
  ['viewer', '24 hours', 'last_seen_at'],
  ['viewer', '14 days', 'created_at'],
  ['admin', '12 hours', 'last_seen_at'],
  ['admin', '7 days', 'created_at'],
])('a session of the %s lives %s by %s and not a minute more', async (person, age, column) => {
  const browser = new CookieBrowser(origin);
  await browser.signIn('google', person);
  const setAge = async (text: string) => {
    const created = sql`update sessions set created_at = now() - ${text}::interval`;
    const lastSeen = sql`update sessions set last_seen_at = now() - ${text}::interval`;
    await server.context.pool.query(column === 'created_at' ? created : lastSeen);
  };
  await setAge(`${age} -1 minute`);
  expect(await browser.user()).not.toBeNull();
  await setAge(`${age} 1 minute`);
  expect(await browser.user()).toBeNull();
});

test('using a session keeps it from falling asleep', async () => {
  const browser = new CookieBrowser(origin);
  await browser.signIn('google', 'viewer');
  await server.context.pool.query("update sessions set last_seen_at = now() - interval '23 hours'");
  await browser.user();
  const { rows } = await server.context.pool.query("select last_seen_at > now() - interval '1 minute' as awake from sessions");
  expect(rows).toEqual([{ awake: true }]);
});

test('signing out takes the cookie away, and may be asked for twice', async () => {
  const browser = new CookieBrowser(origin);
  await browser.signIn('google', 'viewer');
  expect((await browser.post('/api/sign-out')).status).toBe(200);
  expect(browser.lastSetCookie('__Host-sid')).toMatch(/^__Host-sid=; .*Max-Age=0/);
  expect((await browser.post('/api/sign-out')).status).toBe(200);
  const { rowCount } = await server.context.pool.query('select 1 from sessions');
  expect(rowCount).toBe(0);
});

async function newLink(): Promise<string> {
  const { uid } = await grantAdmin(server.context.pool, 'owner@archive.example');
  return (await createSignInLink(server.context.pool, uid)).secret;
}
