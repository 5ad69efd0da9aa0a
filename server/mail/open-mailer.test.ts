import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTestMailbox } from '#testing/test-mailbox.ts';
import { openSmtpMailer } from './open-mailer.ts';

test('a mail server that talks without end holds nobody up, neither by an e-mail nor by what looks like one', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('220 welcome\r\n');
    socket.once('data', () => {
      const talking = setInterval(() => socket.write('250-and\r\n'), 20);
      socket.on('close', () => clearInterval(talking));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const smtpUrl = `smtp://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const mailer = openSmtpMailer({ smtpUrl, from: { name: 'Rushes', address: 'no-reply@archive.example' }, withinMs: 200 });
  await expect(mailer.send({ to: 'ann@example.test', subject: 'A', text: 'A', html: 'A' })).rejects.toThrow();
  await expect(mailer.pretend()).rejects.toThrow('takes too long');
  mailer.close();
  server.close();
});

test('what looks like an e-mail takes as long as the last one did', async () => {
  const mailbox = await startTestMailbox();
  const mailer = openSmtpMailer({ smtpUrl: mailbox.url, from: { name: 'Rushes', address: 'no-reply@archive.example' } });
  const send = () => mailer.send({ to: 'ann@example.test', subject: 'A', text: 'A', html: 'A' });
  // The first one connects, which takes long here.
  await send();
  mailbox.takesMs = 300;
  await send();
  const first = async (...works: [string, Promise<unknown>][]) =>
    await Promise.race(works.map(async ([name, work]) => await work.then(() => name)));
  expect(await first(['pretended', mailer.pretend()], ['shorter', wait(250)])).toBe('shorter');
  mailbox.takesMs = 1_500;
  const sending = send();
  expect(await first(['sent', sending], ['pretended', mailer.pretend()])).toBe('pretended');
  await sending;
  expect(mailbox.mails).toHaveLength(3);
  mailer.close();
  await mailbox.stop();
});
