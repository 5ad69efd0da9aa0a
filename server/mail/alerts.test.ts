import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, createServer as createRelay, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Warning } from '#contract/status.ts';
import { addressOf, openPool } from '#domain/db/database.ts';
import { readMail } from '#testing/read-mail.ts';
import { hangFirst, startTestMailbox, type TestMailbox } from '#testing/test-mailbox.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import type { Outlook } from '../status/look-outside.ts';
import { lookForAlerts, needsSomebody, tellSomebody } from './alerts.ts';

let mailbox: TestMailbox;
let server: TestServer;
const calls: { headers: IncomingMessage['headers']; body: unknown }[] = [];
let answers = 200;
const chat = createServer((request, response) => {
  void request.toArray().then((parts) => {
    calls.push({ headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString()) });
    response.writeHead(answers).end();
  });
});
beforeAll(async () => {
  await once(chat.listen(0, '127.0.0.1'), 'listening');
  const address = chat.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  mailbox = await startTestMailbox();
  server = await startTestServer({
    RUSHES_PUBLIC_URL: 'https://archive.example',
    SMTP_URL: mailbox.url,
    RUSHES_ALERT_MAIL: 'operator@archive.example',
    RUSHES_ALERT_URL: `http://127.0.0.1:${port}/hook`,
  });
});
afterAll(async () => {
  await server.stop();
  await mailbox.stop();
  chat.close();
});
beforeEach(async () => {
  await server.context.pool.query('delete from alerts');
  mailbox.mode = 'takes';
  mailbox.mails.length = 0;
  calls.length = 0;
  answers = 200;
});

const full: Warning = { about: 'disk-a', is: 'bad', says: 'The disk of a is full.', whatToDo: 'Make room.' };
const late: Warning = { about: 'backup', is: 'bad', says: 'The last good backup is old.', whatToDo: 'Run it.' };

test('what needs somebody is told by mail and by a call, each thing once a day, whichever process looks', async () => {
  await Promise.all([tellSomebody(server.context, [full]), tellSomebody(server.context, [full])]);
  await tellSomebody(server.context, [full, late]);
  await tellSomebody(server.context, [full, late]);
  const subjects = mailbox.mails.map(({ to, raw }) => [to, readMail(raw).headers.get('subject')?.[0]]);
  expect(subjects).toEqual([1, 1].map((count) => [['operator@archive.example'], `${count} problem needs attention in Rushes`]));
  expect(readMail(mailbox.mails[1]?.raw ?? '').text).toContain('The last good backup is old. Run it.');
  expect(calls.map(({ body }) => body)).toEqual([
    expect.objectContaining({ warnings: [full], status: 'https://archive.example/admin/status' }),
    expect.objectContaining({ warnings: [late], text: expect.stringContaining('• The last good backup is old. Run it.') }),
  ]);
  await server.context.pool.query("update alerts set told_at = now() - interval '25 hours' where about = 'backup'");
  await tellSomebody(server.context, [full, late]);
  expect(calls.at(-1)?.body).toMatchObject({ warnings: [late] });
});

test('what grows worse within the day is told again, and what grows better is not', async () => {
  const low: Warning = { ...full, is: 'hint' };
  const damaged = (count: number): Warning => ({ ...late, about: 'originals', count });
  for (const warnings of [[low], [low], [full], [low], [full], [damaged(1)], [damaged(3)], [damaged(5)], [damaged(300)], [damaged(20)]])
    await tellSomebody(server.context, warnings);
  expect(calls.map(({ body }) => body)).toEqual(
    [low, full, damaged(1), damaged(5), damaged(300)].map((warning) => expect.objectContaining({ warnings: [warning] })),
  );
});

test('one way that fails leaves the other; when both do, it is told at the next look', async () => {
  answers = 500;
  await tellSomebody(server.context, [full]);
  expect([calls.length, mailbox.mails.length]).toEqual([1, 1]);
  mailbox.mode = 'busy';
  await expect(tellSomebody(server.context, [late])).rejects.toThrow();
  answers = 200;
  await tellSomebody(server.context, [late]);
  expect(calls.at(-1)?.body).toMatchObject({ warnings: [late] });
});

test('somebody is told of what is bad, of who waits, of disks and of certificates that end, and of no other hint', () => {
  const hints = ['waiting-people', 'disk-a', 'certificate-archive.example', 'unverified-archive.example', 'mail', 'versions', 'queue'];
  expect(hints.filter((about) => needsSomebody({ ...full, about, is: 'hint' }))).toEqual(hints.slice(0, 3));
  expect(needsSomebody(full)).toBe(true);
});

/** Looks while nothing can be seen outside. */
const outlook: Outlook = { seen: () => null, look: () => Promise.resolve(null) };

test('a look ends when it is told to, while providers or the mail server hang', async () => {
  const stopping = new AbortController();
  const look = lookForAlerts(server.context, outlook, { stop: stopping.signal });
  await look();
  mailbox.mode = 'hangs';
  const { givenUp, leave, hasFollowers } = await hangFirst(mailbox);
  const looking = look();
  const deaf = lookForAlerts(server.context, { seen: () => null, look: () => new Promise(() => {}) }, { stop: stopping.signal })();
  await until(hasFollowers);
  stopping.abort();
  await expect(deaf).rejects.toThrow('the archive stops');
  const end = looking.then(
    () => 'ended',
    // Where the call was still under way as well, neither way was left.
    () => 'ended',
  );
  expect(await Promise.race([end, givenUp])).toBe('ended');
  leave();
});

/** The same archive, by a way to its database that can be cut. */
async function startBehindRelay() {
  const { host = '', user = '', password = '', database = '' } = addressOf(server.context.pool);
  const [sockets, way] = [new Set<Socket>(), { isHanging: false }];
  const relay = createRelay((from) => {
    const to = connect(join(host, '.s.PGSQL.5432'));
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one.on('error', () => other.destroy()).on('close', () => other.destroy()));
      one.on('data', (bytes) => void (way.isHanging || other.write(bytes)));
    }
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const address = relay.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const pool = openPool({ connectionString: `postgres://${user}:${password}@127.0.0.1:${port}/${database}` });
  const cut = () => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  };
  return { context: { ...server.context, pool }, way, cut };
}

test('somebody hears that the database is away, without it: at the second look, once a day, and again of other things when it is back', async () => {
  const { context, way, cut } = await startBehindRelay();
  const look = lookForAlerts(context, outlook, { withinMs: 1_000 });
  await look();
  await look();
  const standing = calls.length;
  way.isHanging = true;
  await look();
  expect(calls.length).toBe(standing);
  answers = 500;
  mailbox.mode = 'busy';
  await expect(look()).rejects.toThrow();
  answers = 200;
  mailbox.mode = 'takes';
  mailbox.mails.length = 0;
  await look();
  await look();
  cut();
  await look();
  expect(calls.length).toBe(standing + 2);
  expect(calls.at(-1)?.body).toMatchObject({
    warnings: [{ about: 'database', is: 'bad', says: expect.stringContaining('does not answer, so nobody can search') }],
  });
  expect(mailbox.mails.map(({ to }) => to)).toEqual([['operator@archive.example']]);

  const backAgain = lookForAlerts(server.context, outlook);
  await server.context.pool.query('delete from alerts');
  await backAgain();
  await backAgain();
  expect(calls.at(-1)?.body).toMatchObject({ warnings: expect.arrayContaining([expect.objectContaining({ about: 'no-ingest' })]) });
});
