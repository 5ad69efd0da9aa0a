import { expect, test } from 'vitest';
import { CookieBrowser } from '#testing/cookie-browser.ts';
import { startTestServer } from '#testing/test-server.ts';

test('with a public address there is no practice provider, and nobody starts with a role', async () => {
  const server = await startTestServer({ RUSHES_PUBLIC_URL: 'http://localhost:4141' });
  try {
    const browser = new CookieBrowser(await server.listen());
    for (const path of ['/practice/.well-known/openid-configuration', '/practice/auth', '/practice/interaction/x']) {
      expect((await browser.request(path)).status).toBe(404);
    }
    expect((await browser.request('/sign-in/popup-start?provider=google')).status).toBe(404);
  } finally {
    await server.stop();
  }
});

test('the practice provider says what it is, offers its four people, and forgets who was chosen before', async () => {
  const server = await startTestServer();
  try {
    const browser = new CookieBrowser(await server.listen());
    await browser.signIn('google', 'viewer');
    const page = await browser.open('/sign-in/popup-start?provider=microsoft');
    const text = await page.text();
    expect(text).toContain('<h1>Practice sign-in: choose a person</h1>');
    expect(text).toContain('stands in for Microsoft');
    for (const name of ['Nora Newcomer', 'Victor Viewer', 'Edda Editor', 'Ada Admin']) expect(text).toContain(name);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    const done = await browser.choose(page, 'editor');
    expect(done.status).toBe(200);
    expect((await browser.user())?.displayName).toBe('Edda Editor');
  } finally {
    await server.stop();
  }
});

test('a choice that names nobody is a cancelled sign-in, not a fault', async () => {
  const server = await startTestServer();
  for (const payload of ['', 'person=', 'person=a&person=b', 'nobody=viewer']) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', host: 'localhost', origin: 'http://localhost' };
    const answer = await server.app.inject({ method: 'POST', url: '/practice/interaction/made-up', headers, payload });
    expect([payload, answer.statusCode]).toEqual([payload, 400]);
  }
  await server.stop();
});

test('a practice sign-in that is over says so', async () => {
  const server = await startTestServer();
  try {
    const browser = new CookieBrowser(await server.listen());
    expect((await browser.request('/practice/interaction/made-up')).status).toBe(400);
  } finally {
    await server.stop();
  }
});
