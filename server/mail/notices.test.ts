import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setRoles } from '#domain/users/roles.ts';
import { readMail } from '#testing/read-mail.ts';
import { hangFirst, startTestMailbox, type TestMailbox } from '#testing/test-mailbox.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { tellEverybody } from './notices.ts';
import { openMailer } from './open-mailer.ts';

let mailbox: TestMailbox;
/** Its own notices are off, so that a test decides when to look. */
let server: TestServer;
beforeAll(async () => {
  mailbox = await startTestMailbox();
  server = await startTestServer({ RUSHES_PUBLIC_URL: 'https://archive.example' });
});
afterAll(async () => {
  await server.stop();
  await mailbox.stop();
});
beforeEach(async () => {
  mailbox.mode = 'takes';
  mailbox.dead.clear();
  mailbox.mails.length = 0;
  await server.context.pool.query('delete from users');
  await server.context.pool.query("update sign_up_notices set told_at = '-infinity'");
});

test('administrators hear of sign-ups together, once an hour at most, by number and not by name, and only those with a proved address', async () => {
  await addUser('boss', { role: 'admin' });
  await addUser('claimant', { role: 'admin', isProved: false });
  for (const name of ['Visit evil.example', 'Second', 'Third']) await addUser(name);
  await Promise.all([look(), look(), look()]);
  expect(mailbox.mails.map(({ to }) => to)).toEqual([['boss@example.test']]);
  const { headers, text, html } = readMail(mailbox.mails[0]?.raw ?? '');
  expect(headers.get('subject')).toEqual(['3 people are waiting for activation in Rushes']);
  expect(headers.get('auto-submitted')).toEqual(['auto-generated']);
  expect(text).toContain('https://archive.example/admin');
  expect(text + html).not.toMatch(/evil|Second/);
  expect(await count('admins_told_at is not null')).toBe(3);
  await addUser('Fourth');
  await look();
  expect(mailbox.mails).toHaveLength(1);
  await server.context.pool.query("update sign_up_notices set told_at = now() - interval '61 minutes'");
  await look();
  await look();
  expect(mailbox.mails.map(({ raw }) => readMail(raw).headers.get('subject')?.[0])).toEqual([
    '3 people are waiting for activation in Rushes',
    '4 people are waiting for activation in Rushes',
  ]);
});

test('whoever is activated hears of it, once, at a proved address; whoever had a role from the start does not', async () => {
  const { pool } = server.context;
  const [proved, unproved] = [await addUser('Waiting'), await addUser('Unproved', { isProved: false })];
  await addUser('Victor', { role: 'viewer' });
  for (const uid of [proved, unproved]) await setRoles(pool, uid, { viewer: true });
  await Promise.all([look(), look()]);
  await setRoles(pool, proved, { viewer: true, editor: true });
  await look();
  expect(mailbox.mails.map(({ to }) => to)).toEqual([['waiting@example.test']]);
  expect(readMail(mailbox.mails[0]?.raw ?? '').headers.get('subject')).toEqual(['Your account in Rushes is active']);
});

test('what the mail server is too busy for is tried again, and an address that takes no mail keeps nobody waiting', async () => {
  await addUser('boss', { role: 'admin' });
  await addUser('Waiting');
  const activated = await addUser('Activated');
  await setRoles(server.context.pool, activated, { viewer: true });
  mailbox.mode = 'busy';
  await expect(look()).rejects.toThrow();
  expect([mailbox.mails.length, await count('admins_told_at is not null')]).toEqual([0, 0]);
  mailbox.mode = 'takes';
  await look();
  expect(mailbox.mails.flatMap(({ to }) => to).sort()).toEqual(['activated@example.test', 'boss@example.test']);
  const refused = await addUser('Refused');
  await setRoles(server.context.pool, refused, { viewer: true });
  mailbox.mode = 'refuses';
  await look();
  mailbox.mode = 'takes';
  await look();
  expect(mailbox.mails).toHaveLength(2);
});

test.each(['refuses the sender', 'refuses the sender late'] as const)(
  'a mail server that %s is no fault of whom it is for: all are told once it is mended',
  async (mode) => {
    await addUser('boss', { role: 'admin' });
    await addUser('Waiting');
    await setRoles(server.context.pool, await addUser('Activated'), { viewer: true });
    mailbox.mode = mode;
    await expect(look()).rejects.toThrow('Sender address rejected');
    mailbox.mode = 'takes';
    await look();
    expect(mailbox.mails.flatMap(({ to }) => to).sort()).toEqual(['activated@example.test', 'boss@example.test']);
  },
);

test('an administrator whose mailbox is dead keeps nobody from hearing that they were activated, and is tried again in an hour', async () => {
  await addUser('boss', { role: 'admin' });
  await addUser('Waiting');
  await setRoles(server.context.pool, await addUser('Activated'), { viewer: true });
  mailbox.dead.add('boss@example.test');
  await look();
  expect(mailbox.mails.flatMap(({ to }) => to)).toEqual(['activated@example.test']);
  expect(await count('admins_told_at is not null')).toBe(0);
  mailbox.dead.clear();
  await look();
  expect(mailbox.mails).toHaveLength(1);
  await server.context.pool.query("update sign_up_notices set told_at = now() - interval '61 minutes'");
  await look();
  expect(mailbox.mails.at(-1)?.to).toEqual(['boss@example.test']);
});

test('each kind of e-mail is switched off by its setting', async () => {
  await addUser('boss', { role: 'admin' });
  await addUser('Waiting');
  await setRoles(server.context.pool, await addUser('Activated'), { viewer: true });
  await look({ tellsOfSignUps: false, tellsOfActivations: false });
  expect(mailbox.mails).toEqual([]);
});

test('a running server tells by itself', async () => {
  const running = await startTestServer({ RUSHES_PUBLIC_URL: 'https://archive.example', SMTP_URL: mailbox.url });
  try {
    await running.context.pool.query("insert into users (id, email, email_verified, name) values ('ann', 'ann@example.test', true, 'Ann')");
    await setRoles(running.context.pool, 'ann', { viewer: true });
    expect((await mailbox.lastTo('ann@example.test')).to).toEqual(['ann@example.test']);
    await until(async () => (await running.context.pool.query('select from users where activation_told_at is not null')).rowCount === 1);
  } finally {
    await running.stop();
  }
});

test('a server that is stopped while the mail server hangs does not wait for it', async () => {
  const running = await startTestServer({ RUSHES_PUBLIC_URL: 'https://archive.example', SMTP_URL: mailbox.url });
  mailbox.mode = 'hangs';
  const { givenUp, leave, hasFollowers } = await hangFirst(mailbox);
  await running.context.pool.query("insert into users (id, email, email_verified, name) values ('ann', 'ann@example.test', true, 'Ann')");
  await setRoles(running.context.pool, 'ann', { viewer: true });
  await until(hasFollowers);
  expect(await Promise.race([running.stop().then(() => 'stopped'), givenUp])).toBe('stopped');
  leave();
});

/** Somebody with an address at example.test; with a role, they have it from the first moment. */
async function addUser(name: string, { role, isProved = true }: { role?: string; isProved?: boolean } = {}): Promise<string> {
  const uid = name.toLowerCase().replace(/\W/g, '-');
  const roles = role ? { [role]: true } : {};
  await server.context.pool.query(
    `insert into users (id, email, email_verified, name, roles, activated_at) values ($1, $2, $3, $4, $5, case when $5::jsonb = '{}' then null else now() end)`,
    [uid, `${uid}@example.test`, isProved, name, JSON.stringify(roles)],
  );
  return uid;
}

/** What every server process does now and then. */
async function look(switches = { tellsOfSignUps: true, tellsOfActivations: true }): Promise<void> {
  const { context } = server;
  const config = { ...context.config, mail: { ...context.config.mail, smtpUrl: mailbox.url, ...switches } };
  const { mail } = openMailer(config, context.settings.name);
  if (!mail) throw new Error('there is no mail server');
  try {
    await tellEverybody({ ...context, config }, mail);
  } finally {
    mail.close();
  }
}

async function count(what: string): Promise<number> {
  return (await server.context.pool.query(`select from users where ${what}`)).rowCount ?? 0;
}
