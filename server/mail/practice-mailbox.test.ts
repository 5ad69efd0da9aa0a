import { afterAll, beforeAll, expect, test } from 'vitest';
import { CookieBrowser } from '#testing/cookie-browser.ts';
import { linkSentTo } from '#testing/practice-mailbox.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { createMailbox } from './practice-mailbox.ts';

let server: TestServer;
let origin: string;
beforeAll(async () => {
  server = await startTestServer();
  origin = await server.listen();
});
afterAll(() => server.stop());

test('2.3 what a practice archive would send lies in a mailbox on this machine, with a link to the origin that asked', async () => {
  const browser = new CookieBrowser(origin);
  const person = { email: 'ann@example.test', displayName: '<b>Ann</b>' };
  expect((await browser.post('/api/sign-in-links', person)).status).toBe(202);
  const link = await linkSentTo(origin, person.email);
  expect(new URL(link).origin).toBe(origin);
  const page = await browser.request('/practice/mailbox');
  const html = await page.text();
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(html).toContain(`href="${link.replaceAll('&', '&#38;')}"`);
  expect(html).toContain('practice archive');
  expect(html).not.toContain('<b>');
  const foreign = await server.app.inject({ url: '/practice/mailbox.json', headers: { host: 'evil.example' } });
  expect(foreign.statusCode).toBe(400);
});

test('the practice mailbox keeps the last fifty', async () => {
  const mailbox = createMailbox();
  for (let n = 0; n < 60; n += 1) await mailbox.send({ to: 'a@example.test', subject: String(n), text: '', html: '' });
  expect(mailbox.list().map(({ subject }) => subject)).toEqual(Array.from({ length: 50 }, (_, n) => String(59 - n)));
});
