import { expect, test } from 'vitest';
import { ConfigFault, readConfig } from '../config.ts';
import { openMailer } from './open-mailer.ts';

const publicUrl = { RUSHES_PUBLIC_URL: 'https://archive.example' };

test('an archive without a mail server sends nothing, and a practice archive keeps its e-mail', () => {
  expect(openMailer(readConfig(publicUrl), 'Rushes')).toEqual({ mail: null, mailbox: null });
  expect(openMailer(readConfig({}), 'Rushes').mailbox).not.toBeNull();
  expect(openMailer(readConfig({ SMTP_URL: 'smtp://127.0.0.1:25' }), 'Rushes').mailbox).toBeNull();
});

test('the sender is no-reply at the host of the archive unless another is named', () => {
  expect(readConfig(publicUrl).mail.from).toBe('no-reply@archive.example');
  expect(readConfig({ ...publicUrl, RUSHES_MAIL_FROM: 'desk@archive.example' }).mail.from).toBe('desk@archive.example');
});

test.each([
  ['SMTP_URL', 'https://user:secret@mail.example'],
  ['SMTP_URL', 'mail.example secret'],
  ['RUSHES_MAIL_FROM', 'Desk <desk@archive.example>'],
])('%s=%s is a fault, said without any password', (name, value) => {
  let fault: unknown;
  try {
    readConfig({ [name]: value });
  } catch (error) {
    fault = error;
  }
  expect(fault).toBeInstanceOf(ConfigFault);
  expect(String(fault)).toContain(`${name} must`);
  expect(String(fault)).not.toContain('secret');
});

test('an e-mail goes to one plain address or not at all', async () => {
  const { mail } = openMailer(readConfig({ SMTP_URL: 'smtp://127.0.0.1:9' }), 'Rushes');
  const letter = { subject: 'Hello', text: 'Hello', html: 'Hello' };
  for (const to of ['a@example.test,b@evil.example', 'Ann <a@example.test>', 'A@example.test', ''])
    await expect(mail?.send({ to, ...letter })).rejects.toThrow('one plain address');
});
