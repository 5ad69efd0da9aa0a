import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#domain/db/sql.ts';
import { CookieBrowser } from '#testing/cookie-browser.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

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
