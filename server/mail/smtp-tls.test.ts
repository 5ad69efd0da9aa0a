import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { isMissing } from '#testing/find-program.ts';
import { madeCertificate } from '#testing/made-certificate.ts';
import { startTestMailbox, type TestMailbox } from '#testing/test-mailbox.ts';
import { startTestServer } from '#testing/test-server.ts';
import { openSmtpMailer } from './open-mailer.ts';

/** By an address of this machine that is none of its own names, a mail server here is as far away as any. */
const remote =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address ?? '127.0.0.2';
const letter = { to: 'ann@example.test', subject: 'A', text: 'A', html: 'A' };

test('nothing is sent to a mail server elsewhere that offers no TLS, nor looks like being sent, and the reason is said', async () => {
  const mailbox = await startTestMailbox({ host: remote });
  const mailer = mailerOf(mailbox.url);
  await expect(mailer.send(letter)).rejects.toThrow(/Nothing was sent: the mail server .* offers no TLS.*SMTP_URL/);
  await expect(mailer.pretend()).rejects.toThrow('offers no TLS');
  await expectNothingSent(mailbox);
  mailer.close();
});

test('nothing is sent to a mail server elsewhere whose certificate nobody vouches for', async ({ skip }) => {
  const tls = madeCertificate(`IP:${remote}`);
  if (!tls) return skip(isMissing('openssl'));
  const mailbox = await startTestMailbox({ host: remote, tls });
  const mailer = mailerOf(mailbox.url);
  await expect(mailer.send(letter)).rejects.toThrow(/Nothing was sent: .* certificate/);
  mailer.close();
  await expectNothingSent(mailbox);
});

test('a mail server on this machine may do without', async () => {
  const mailbox = await startTestMailbox();
  const mailer = mailerOf(mailbox.url);
  await mailer.send(letter);
  expect(mailbox.mails).toHaveLength(1);
  mailer.close();
  await mailbox.stop();
});

test('who asks for a link where it cannot be sent safely is told so, and the log says why', async () => {
  const mailbox = await startTestMailbox({ host: remote });
  const lines: string[] = [];
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (line: string | Uint8Array) => lines.push(String(line)) > 0;
  const server = await startTestServer({ RUSHES_PUBLIC_URL: 'http://localhost:4141', SMTP_URL: mailbox.url, RUSHES_LOG: 'warn' });
  try {
    const payload = { email: 'ann@example.test', displayName: 'Ann' };
    const answer = await server.app.inject({ method: 'POST', url: '/api/sign-in-links', payload });
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'unavailable']);
    expect(lines.join('')).toContain('offers no TLS');
    expect(lines.join('')).not.toContain('ann@example.test');
  } finally {
    process.stderr.write = write;
    await server.stop();
  }
  await expectNothingSent(mailbox);
});

function mailerOf(smtpUrl: string) {
  return openSmtpMailer({ smtpUrl, from: { name: 'Rushes', address: 'no-reply@archive.example' } });
}

async function expectNothingSent(mailbox: TestMailbox): Promise<void> {
  expect(mailbox.mails).toEqual([]);
  await mailbox.stop();
}
