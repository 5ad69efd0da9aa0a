import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CookieBrowser } from '#testing/cookie-browser.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let origin: string;
beforeAll(async () => {
  server = await startTestServer();
  origin = await server.listen();
});
afterAll(() => server.stop());

test('the operator makes an administrator beside a running server, and the link signs them in once', async () => {
  const { status, stdout } = admin(['Owner@Archive.Example']);
  expect(status).toBe(0);
  expect(stdout).toContain('owner@archive.example is an administrator (a new account).');
  const link = new URL(stdout.match(/http\S+/)?.[0] ?? '');
  expect(link.pathname).toBe('/login-email-link');
  const browser = new CookieBrowser(origin);
  const spending = { token: link.searchParams.get('token'), email: 'owner@archive.example' };
  expect((await browser.post('/api/sign-in-link', { ...spending, email: 'another@archive.example' })).status).toBe(409);
  expect((await browser.post('/api/sign-in-link', spending)).status).toBe(200);
  expect(await browser.user()).toMatchObject({ email: 'owner@archive.example', roles: { admin: true } });
  expect((await new CookieBrowser(origin).post('/api/sign-in-link', spending)).status).toBe(404);
});

test('a person who exists is promoted and keeps the other roles', async () => {
  const browser = new CookieBrowser(origin);
  await browser.signIn('google', 'viewer');
  expect(admin(['victor@practice.example']).stdout).toContain('victor@practice.example is an administrator.\n');
  expect((await browser.user())?.roles).toEqual({ viewer: true, admin: true });
});

test.each([[[]], [['not-an-address']], [['a@example.test', 'b@example.test']], [['a@example.test\nBcc: evil@example.test']]])(
  'a call with %j changes nothing, says why and ends with 1',
  (args) => {
    const { status, stderr, stdout } = admin(args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Usage: npm run admin -- EMAIL');
  },
);

test('an address that somebody claimed without proof is made an administrator only on the say-so of the operator', async () => {
  const { pool } = server.context;
  await pool.query("insert into users (id, email, name) values ('claimant', 'boss@archive.example', 'Boss')");
  const refused = admin(['boss@archive.example']);
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/^Someone signed in as boss@archive\.example, but .+ add --trust\.\n$/);
  expect((await pool.query("select roles from users where id = 'claimant'")).rows[0]?.roles).toEqual({});
  expect(admin(['boss@archive.example', '--trust']).status).toBe(0);
  expect((await pool.query("select roles from users where id = 'claimant'")).rows[0]?.roles).toEqual({ admin: true });
});

test('a database that does not answer is one line and ends with 1', () => {
  const { status, stderr } = admin(['a@example.test'], { DATABASE_URL: 'postgres://app@127.0.0.1:4159/nothing' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^DATABASE_URL: the database cannot be used \(.+\)\. Start it or correct the address\.\n$/);
});

test('without a server it starts the database, does its work and leaves no process behind', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-admin-'));
  const { status, stdout } = admin(['a@example.test'], { RUSHES_DATA: dataFolder, DATABASE_URL: undefined });
  expect([status, stdout]).toEqual([0, expect.stringContaining('a@example.test is an administrator (a new account).')]);
  expect(spawnSync('pgrep', ['-f', dataFolder]).stdout.toString()).toBe('');
  rmSync(dataFolder, { recursive: true, force: true });
});

function admin(args: string[], env: Record<string, string | undefined> = {}) {
  const { databaseUrl, dataFolder } = server.context.config;
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', DATABASE_URL: databaseUrl, RUSHES_DATA: dataFolder, ...env };
  return spawnSync(process.execPath, [join(import.meta.dirname, 'admin.ts'), ...args], { env: environment, encoding: 'utf8' });
}
