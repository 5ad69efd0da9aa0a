import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ProblemBody } from '#contract/problem.ts';
import { CookieBrowser } from '#testing/cookie-browser.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { startMailingServer } from '#testing/mailing-server.ts';
import { linkIn, readMail } from '#testing/read-mail.ts';
import type { TestMailbox } from '#testing/test-mailbox.ts';
import type { TestServer } from '#testing/test-server.ts';

const EmailEntry = z.object({
  id: z.string(),
  value: z.string().optional(),
  json: z.string().optional(),
  expect: z.enum(['accept', 'reject']),
  normalised: z.string().optional(),
});
const NameEntry = z.object({
  id: z.string(),
  cls: z.string(),
  value: z.string(),
  expect: z.enum(['keep', 'normalise', 'reject', 'text', 'text-no-mail']),
  stored: z.string().optional(),
});
const HeaderEntry = z.object({ headers: z.record(z.string(), z.string()) });

let mailbox: TestMailbox;
let server: TestServer;
let origin: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ mailbox, server, origin, stop } = await startMailingServer({
    RUSHES_PUBLIC_URL: 'https://archive.example',
    RUSHES_TRUST_PROXY: '127.0.0.1',
  }));
});
afterAll(() => stop());
beforeEach(async () => {
  mailbox.mails.length = 0;
  await server.context.pool.query('delete from sign_in_links');
});

test('5.1 of 118 addresses each plain one gets one e-mail with one recipient, and every other is refused with nothing sent', async () => {
  const entries = readCorpus('emails', EmailEntry);
  const faults: string[] = [];
  for (const [n, entry] of entries.entries()) {
    const email: unknown = entry.json === undefined ? entry.value : JSON.parse(entry.json);
    mailbox.mails.length = 0;
    const answer = await ask({ email }, addressOf(n));
    const wanted = entry.normalised ?? entry.value?.trim();
    if (entry.expect === 'reject') {
      const { code, detail } = ProblemBody.parse(await answer.json());
      if (answer.status !== 400 || code !== 'invalid_email') faults.push(`${entry.id}: ${answer.status} ${code}`);
      if (detail !== 'The email address is badly formatted.') faults.push(`${entry.id}: ${detail}`);
      if (mailbox.mails.length > 0) faults.push(`${entry.id}: something was sent`);
      continue;
    }
    const sent = mailbox.mails.map(({ from, to, raw }) => ({ from, to, headers: readMail(raw).headers }));
    const [mail] = sent;
    if (answer.status !== 202 || sent.length !== 1) faults.push(`${entry.id}: ${answer.status}, ${sent.length} mails`);
    if (JSON.stringify(mail?.to) !== JSON.stringify([wanted])) faults.push(`${entry.id}: to ${mail?.to}`);
    for (const name of ['to', 'subject', 'from']) {
      if (mail?.headers.get(name)?.length !== 1) faults.push(`${entry.id}: ${mail?.headers.get(name)?.length} headers ${name}`);
    }
    if (mail?.headers.get('to')?.[0] !== wanted) faults.push(`${entry.id}: header To: ${mail?.headers.get('to')}`);
    if (mail?.headers.has('cc') || mail?.headers.has('bcc')) faults.push(`${entry.id}: copies`);
  }
  expect(faults).toEqual([]);
  expect(entries).toHaveLength(118);
});

test('the check for recipients sees the second one of an address that nobody took apart', async () => {
  const careless = createTransport(mailbox.url);
  await careless.sendMail({ from: 'a@example.test', to: 'victim@example.test,evil@evil.example', subject: 'Careless', text: 'x' });
  expect(mailbox.mails[0]?.to).toEqual(['victim@example.test', 'evil@evil.example']);
});

test('5.1 of 98 names each is kept as it was meant or refused, and every e-mail reads the same, whatever the name', async () => {
  const entries = readCorpus('display-names', NameEntry);
  const readings = new Set<string>();
  const faults: string[] = [];
  for (const [n, entry] of entries.entries()) {
    mailbox.mails.length = 0;
    const email = `person-${n}@example.test`;
    const answer = await ask({ email, displayName: entry.value }, addressOf(n));
    if (entry.expect === 'reject') {
      const { code, parameter } = ProblemBody.parse(await answer.json());
      if (answer.status !== 400 || code !== 'invalid_parameter' || parameter !== 'displayName')
        faults.push(`${entry.id}: ${answer.status} ${code} ${parameter}`);
      if (mailbox.mails.length > 0) faults.push(`${entry.id}: something was sent`);
      continue;
    }
    const mail = readMail((await mailbox.lastTo(email)).raw);
    const link = linkIn(mail);
    if (link.searchParams.get('displayname') !== entry.stored)
      faults.push(`${entry.id}: ${link.searchParams.get('displayname')} in the link`);
    const ofItsOwn = ['date', 'message-id', 'content-type'];
    const headers = [...mail.headers].filter(([name]) => !ofItsOwn.includes(name)).map(([name, values]) => `${name}: ${values.join()}`);
    const read = [...headers, mail.text, mail.html].join('\n').replace(/https:\S*login-email-link[^\s"]*/g, '');
    readings.add(read.replaceAll(email, 'the address'));
    const browser = new CookieBrowser(origin);
    await browser.post('/api/sign-in-link', { token: link.searchParams.get('token'), email });
    const shown = (await browser.user())?.displayName;
    if (shown !== entry.stored) faults.push(`${entry.id}: ${shown} is not ${entry.stored}`);
  }
  expect(faults).toEqual([]);
  expect([...readings]).toEqual([expect.stringContaining('the address')]);
  expect(entries).toHaveLength(98);
});

test.each([
  ['no name', {}],
  ['a name of blanks', { displayName: '  ', email: 'ann@example.test' }],
  ['no address', { displayName: 'Ann Archivist', email: undefined }],
  ['an empty address', { displayName: 'Ann Archivist', email: '' }],
])('5.1 full name and e-mail are required: with %s nothing is sent', async (_what, input) => {
  const answer = await ask({ displayName: undefined, email: 'ann@example.test', ...input });
  expect([answer.status, mailbox.mails]).toEqual([400, []]);
});

test('known, new and limited addresses get the same answer, and the limited one no e-mail', async () => {
  await server.context.pool.query(
    "insert into users (id, email, email_verified, name) values ('known', 'known@example.test', true, 'Known')",
  );
  const spellings = ['new@example.test', 'NEW@example.test', ' New@Example.TEST ', 'new@EXAMPLE.test', 'nEw@example.test'];
  const answers = new Set<string>();
  for (const email of ['known@example.test', ...spellings]) {
    const answer = await ask({ email });
    answers.add(`${answer.status} ${await answer.text()} ${[...answer.headers.keys()].sort()}`);
  }
  expect([...answers]).toEqual([expect.stringMatching(/^202 {} /)]);
  expect(mailbox.mails.map(({ to }) => to[0])).toEqual(['known@example.test', ...Array(3).fill('new@example.test')]);
});

test.each([
  ['the addresses of one IPv4 network', (n: number) => `203.0.113.${n}`],
  [
    'the spellings and hosts of one IPv6 network',
    (n: number) => [`2001:db8:0:1::${n + 1}`, `2001:0DB8:0000:0001:0:0:0:${n + 1}`][n % 2] ?? '',
  ],
  ['an IPv4 address written as IPv6', (n: number) => [`::ffff:198.51.100.${n}`, `198.51.100.${n}`][n % 2] ?? ''],
  ['forged forwarded addresses before the real one', (n: number) => `10.${n}.0.1, 192.0.2.7`],
])('a network asks ten times, counted over %s', async (_what, from) => {
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) statuses.push((await ask({ email: `tag+${n}@example.test` }, from(n))).status);
  expect(statuses).toEqual([...Array(10).fill(202), 429, 429]);
  expect(mailbox.mails).toHaveLength(10);
  expect((await ask({ email: 'elsewhere@example.test' }, '198.18.0.1')).status).toBe(202);
});

test('no header of a request comes into a link', async () => {
  const entries = readCorpus('headers', HeaderEntry);
  for (const [n, { headers }] of entries.entries()) {
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    await server.app.inject({
      method: 'POST',
      url: '/api/sign-in-links',
      remoteAddress: addressOf(n),
      headers: { host: 'archive.example', origin: 'https://archive.example', 'content-type': 'application/json', ...own },
      payload: JSON.stringify({ email: `p-${n}@example.test`, displayName: 'Ann Archivist' }),
    });
  }
  // Most of them are no reason to refuse anything.
  expect(mailbox.mails.length).toBeGreaterThan(20);
  const links = mailbox.mails.map(({ raw }) => linkIn(readMail(raw)).href);
  expect(links.filter((link) => !link.startsWith('https://archive.example/login-email-link?token='))).toEqual([]);
  expect(mailbox.mails.map(({ raw }) => raw).join('\n')).not.toContain('evil.example');
});

/** An address whose network nobody else has. */
function addressOf(n: number): string {
  return `10.${Math.floor(n / 200) + 1}.${n % 200}.1`;
}

async function ask(input: Record<string, unknown>, from = '192.0.2.1'): Promise<Response> {
  return await new CookieBrowser(origin).request('/api/sign-in-links', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ displayName: 'Ann Archivist', ...input }),
  });
}
