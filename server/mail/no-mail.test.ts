import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProblemBody } from '#contract/problem.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ RUSHES_PUBLIC_URL: 'https://archive.example' });
});
afterAll(() => server.stop());

test('an archive without a mail server offers no link, and says so to who asks for one all the same', async () => {
  const headers = { host: 'archive.example', origin: 'https://archive.example' };
  const page = await server.app.inject({ url: '/login-email', headers });
  expect(page.body).toContain('"emailSignIn":false');
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/sign-in-links',
    headers,
    payload: { email: 'ann@example.test', displayName: 'Ann' },
  });
  expect([answer.statusCode, ProblemBody.parse(answer.json()).detail]).toEqual([503, expect.stringContaining('sends no e-mail')]);
  expect((await server.context.pool.query('select from sign_in_links')).rowCount).toBe(0);
});

test('only a practice archive has a mailbox to look into', async () => {
  for (const url of ['/practice/mailbox', '/practice/mailbox.json'])
    expect((await server.app.inject({ url, headers: { host: 'archive.example' } })).statusCode).toBe(404);
});
