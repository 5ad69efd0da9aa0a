import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ProblemBody } from '#contract/problem.ts';
import { CookieBrowser } from '#testing/cookie-browser.ts';
import { startMailingServer } from '#testing/mailing-server.ts';
import { linkIn, readMail } from '#testing/read-mail.ts';
import type { TestMailbox } from '#testing/test-mailbox.ts';
import type { TestServer } from '#testing/test-server.ts';

const publicUrl = 'https://archive.example';
let mailbox: TestMailbox;
let server: TestServer;
let origin: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ mailbox, server, origin, stop } = await startMailingServer({ RUSHES_PUBLIC_URL: publicUrl, RUSHES_TRUST_PROXY: '127.0.0.1' }));
});
afterAll(() => stop());
beforeEach(async () => {
  mailbox.mode = 'takes';
  mailbox.mails.length = 0;
  await server.context.pool.query('delete from users');
  await server.context.pool.query('delete from sign_in_links');
});

test('5.2 7.5 a link signs its person in, once, whoever else asks at the same moment', async () => {
  const people = Array.from({ length: 10 }, (_, n) => `person-${n}@example.test`);
  for (const [n, email] of people.entries()) {
    const spending = { token: await askFor(email, { from: `10.0.${n}.1` }), email };
    const browsers = Array.from({ length: 10 }, () => new CookieBrowser(origin));
    const answers = await Promise.all(browsers.map((browser) => browser.post('/api/sign-in-link', spending)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    const users = await Promise.all(browsers.map((browser) => browser.user()));
    expect(users.filter(Boolean)).toMatchObject([{ email, displayName: 'Ann Archivist', roles: {} }]);
  }
  const { rows } = await server.context.pool.query('select count(*) as sessions, count(distinct user_id) as users from sessions');
  expect(rows).toEqual([{ sessions: 10, users: 10 }]);
});

test('2.3 7.5 the link leads to our page with the name, every character but letters and digits encoded, and the way back', async () => {
  await ask({ email: 'ann@example.test', displayName: "Ann-Zoë O'Brien (ed.)", returnUrl: '/video/0123456789?t=12' });
  const { text } = readMail((await mailbox.lastTo('ann@example.test')).raw);
  const address = linkIn({ text }).href;
  expect(address).toContain('&displayname=Ann%2DZo%C3%AB%20O%27Brien%20%28ed%2E%29&');
  expect(address).toMatch(/^https:\/\/archive\.example\/login-email-link\?token=[\w-]{43}&.*&returnUrl=%2Fvideo%2F0123456789%3Ft%3D12$/);
  await ask({ email: 'ann@example.test', returnUrl: 'https://evil.example/' });
  expect(readMail((await mailbox.lastTo('ann@example.test')).raw).text).not.toContain('returnUrl');
});

test('a long search in any script is the way back as long as proxies take the address of the link; a longer one signs in at home', async () => {
  const wayBack = async (query: string) => {
    const returnUrl = `/search?${new URLSearchParams({ query })}`;
    expect((await ask({ email: 'ann@example.test', returnUrl })).status).toBe(202);
    const link = linkIn(readMail((await mailbox.lastTo('ann@example.test')).raw));
    expect(link.href.length).toBeLessThan(8_000);
    return link.searchParams.get('returnUrl') === returnUrl ? 'there' : link.searchParams.get('returnUrl');
  };
  expect(await wayBack('ш'.repeat(400))).toBe('there');
  expect(await wayBack('𝄞'.repeat(1_000))).toBe(null);
});

test('what is refused says which field it is about', async () => {
  expect(await problem(ask({ email: 'ann@example.test', displayName: '...' }))).toMatchObject({ parameter: 'displayName' });
  expect(await problem(ask({ email: 'ann@example.test', returnUrl: ['/', '/'] }))).toMatchObject({
    code: 'invalid_parameter',
    parameter: 'returnUrl',
  });
});

test('3.1 whoever exists keeps their name, whatever was entered with the link or stands in its address', async () => {
  const { pool } = server.context;
  await pool.query("insert into users (id, email, email_verified, name) values ('victor', 'victor@example.test', true, 'Victor')");
  const browser = new CookieBrowser(origin);
  const token = await askFor('victor@example.test', { displayName: 'Somebody Else' });
  expect(
    (await browser.post('/api/sign-in-link?displayname=Evil', { token, email: 'Victor@Example.test', displayname: 'Evil' })).status,
  ).toBe(200);
  expect(await browser.user()).toMatchObject({ uid: 'victor', displayName: 'Victor' });
});

test('an address that somebody claimed without proof is another person until the link proves it', async () => {
  await server.context.pool.query("insert into users (id, email, name) values ('claimant', 'boss@example.test', 'Claimant')");
  const browser = new CookieBrowser(origin);
  await browser.post('/api/sign-in-link', { token: await askFor('boss@example.test'), email: 'boss@example.test' });
  expect(await browser.user()).toMatchObject({ email: 'boss@example.test', displayName: 'Ann Archivist' });
  expect((await browser.user())?.uid).not.toBe('claimant');
});

test('5.2 another address than the link was sent to signs nobody in, is not told which it is, and works five times at most', async () => {
  const token = await askFor('ann@example.test');
  const browser = new CookieBrowser(origin);
  for (let n = 0; n < 4; n += 1) {
    const answer = await problem(browser.post('/api/sign-in-link', { token, email: `guess-${n}@example.test` }));
    expect([answer.status, answer.detail]).toEqual([409, expect.stringContaining('does not match')]);
    expect(answer.detail).not.toMatch(/ann|@/);
  }
  expect((await problem(browser.post('/api/sign-in-link', { token, email: '' }))).code).toBe('invalid_email');
  const spared = await server.context.pool.query('select wrong_addresses as wrong from sign_in_links where used_at is null');
  expect(spared.rows).toEqual([{ wrong: 4 }]);
  await browser.post('/api/sign-in-link', { token, email: 'guess-5@example.test' });
  expect((await browser.post('/api/sign-in-link', { token, email: 'ann@example.test' })).status).toBe(404);
  expect(await browser.user()).toBeNull();
});

test('nobody is made to read a book: a body of more than 128 kB is refused', async () => {
  const fields = Object.fromEntries(Array.from({ length: 12_000 }, (_, n) => [`field-${n}`, n]));
  expect(await problem(ask({ email: 'ann@example.test', ...fields }))).toMatchObject({ status: 413, code: 'file_too_large' });
});

test('a link that is too old, used, overtaken by another, or never was gets one and the same answer', async () => {
  const email = 'ann@example.test';
  const overtaken = await askFor(email);
  const used = await askFor(email);
  expect((await new CookieBrowser(origin).post('/api/sign-in-link', { token: used, email })).status).toBe(200);
  const old = await askFor(email);
  await server.context.pool.query("update sign_in_links set expires_at = now() - interval '1 second' where used_at is null");
  const bodies = new Set<string>();
  for (const token of [overtaken, used, old, 'x'.repeat(43), '']) {
    const { instance: _, ...body } = await problem(new CookieBrowser(origin).post('/api/sign-in-link', { token, email }));
    expect(body.status).toBe(404);
    bodies.add(JSON.stringify(body));
  }
  expect(bodies.size).toBe(1);
});

test('looking at the page of a link never spends it, and nothing keeps or passes on its address', async () => {
  const token = await askFor('ann@example.test');
  const scanner = new CookieBrowser(origin);
  for (const path of ['/login-email-link', '/login-email']) {
    for (const method of ['HEAD', 'GET', 'GET']) {
      const page = await scanner.request(`${path}?token=${token}&displayname=Ann`, { method });
      const { headers, status } = page;
      expect([status, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([200, 'no-store', 'no-referrer']);
    }
  }
  expect((await scanner.request(`/api/sign-in-link?token=${token}&email=ann@example.test`)).status).toBe(404);
  expect(await scanner.user()).toBeNull();
  const person = new CookieBrowser(origin);
  expect((await person.post('/api/sign-in-link', { token, email: 'ann@example.test' })).status).toBe(200);
  expect(await person.user()).not.toBeNull();
});

test('the database keeps the hash of a link, not the link', async () => {
  const token = await askFor('ann@example.test');
  const { rows } = await server.context.pool.query('select to_jsonb(l)::text as row from sign_in_links l');
  expect(rows[0].row).not.toContain(token);
});

test('who signs in by a link leaves the session before in this browser behind, and the audit and the account say how they came', async () => {
  const { pool } = server.context;
  const browser = new CookieBrowser(origin);
  for (const email of ['first@example.test', 'second@example.test'])
    expect((await browser.post('/api/sign-in-link', { token: await askFor(email), email })).status).toBe(200);
  const { rows } = await pool.query('select u.email, s.signed_in_by as by from sessions s join users u on u.id = s.user_id');
  expect(rows).toEqual([{ email: 'second@example.test', by: 'email' }]);
  const accounts = await pool.query('select provider_id as way, account_id as address from accounts order by 2');
  expect(accounts.rows).toMatchObject([{ way: 'email', address: 'first@example.test' }, { address: 'second@example.test' }]);
  const audit = await pool.query("select subject_email as email from audit where action = 'signed-up' order by id desc limit 2");
  expect(audit.rows).toEqual([{ email: 'second@example.test' }, { email: 'first@example.test' }]);
});

test('8.1 when the mail server is too busy, the visitor is told, and the try does not count for the address', async () => {
  mailbox.mode = 'busy';
  for (let n = 0; n < 4; n += 1) {
    const answer = await problem(ask({ email: 'ann@example.test' }));
    expect([answer.status, answer.detail]).toEqual([503, expect.stringContaining('could not be sent')]);
  }
  mailbox.mode = 'refuses';
  expect(await problem(ask({ email: 'ann@example.test' }))).toMatchObject({
    status: 400,
    detail: expect.stringContaining('does not accept'),
  });
  mailbox.mode = 'takes';
  expect((await ask({ email: 'ann@example.test' })).status).toBe(202);
  expect(mailbox.mails).toHaveLength(1);
});

/** Asks for a link as a page of the archive would, from an address of its own unless told. */
async function ask(input: Record<string, unknown>, from = '192.0.2.1'): Promise<Response> {
  const browser = new CookieBrowser(origin);
  return await browser.request('/api/sign-in-links', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ displayName: 'Ann Archivist', ...input }),
  });
}

/** The secret of a link that was mailed. */
async function askFor(
  email: string,
  { displayName = 'Ann Archivist', from }: { displayName?: string; from?: string } = {},
): Promise<string> {
  expect((await ask({ email, displayName }, from)).status).toBe(202);
  return linkIn(readMail((await mailbox.lastTo(email)).raw)).searchParams.get('token') ?? '';
}

async function problem(answer: Promise<Response>): Promise<ProblemBody> {
  return ProblemBody.parse(await (await answer).json());
}
