import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PageSettings } from '#contract/archive.ts';
import { pageRoutes } from '#contract/page-routes.ts';
import { contentPolicies } from '#server/http/security-headers.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test.each(Object.values(pageRoutes))('the page %s is there', async (path) => {
  const answer = await server.app.inject({ url: path.replace(':id', '3a9220459b') });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-security-policy']).toBe(contentPolicies.app);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
});

test.each(['/x.css', '/admin/users.json', '/video/3a9220459b.mp4', '/index.php', '/nothing', '/video/', '/admin/videos/7', '/favicon.ico'])(
  '2.10 the path %s shows the not-found page with 404, and no data',
  async (url) => {
    const answer = await server.app.inject({ url });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toContain('<title>index</title>');
  },
);

test('2.10 known files come before the pages', async () => {
  for (const [url, type] of [
    ['/opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/assets/site-1a2b3c4d.js', 'application/javascript; charset=utf-8'],
  ]) {
    const answer = await server.app.inject({ url });
    expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([url, 200, type]);
  }
});

test('built files are kept for a year, and compressed ones are sent to who takes them', async () => {
  const { pagesFolder } = server.context.config;
  const file = join(pagesFolder, 'assets', 'site-1a2b3c4d.js');
  writeFileSync(`${file}.br`, brotliCompressSync('export const site = 1;\n'));
  const plain = await server.app.inject({ url: '/assets/site-1a2b3c4d.js' });
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const packed = await server.app.inject({ url: '/assets/site-1a2b3c4d.js', headers: { 'accept-encoding': 'br' } });
  expect(packed.headers['content-encoding']).toBe('br');
});

test('the document carries the settings of the archive, and no text of theirs can end the element', async () => {
  const answer = await server.app.inject({ url: '/' });
  const json = /<script type="application\/json" id="page-settings">(.*)<\/script>/.exec(answer.body)?.[1] ?? '';
  const settings = PageSettings.parse(JSON.parse(json));
  expect(settings.practice).toBe(true);
  expect(settings.archive.name).toBe(server.context.settings.name);
  expect(settings.providers.map(({ id }) => id)).toEqual(['google', 'microsoft']);
  expect(json).not.toContain('<');
});

test.each(['/login-email-link?token=secret', '/login-email-link/?token=secret'])(
  'the page of a one-time link is kept nowhere and named to nobody: %s',
  async (url) => {
    const answer = await server.app.inject({ url });
    expect([answer.statusCode, answer.headers['cache-control'], answer.headers['referrer-policy']]).toEqual([
      200,
      'no-store',
      'no-referrer',
    ]);
  },
);

test('an unknown path under /api is told in our error shape', async () => {
  const answer = await server.app.inject({ url: '/api/users/me/x.css' });
  expect(answer.statusCode).toBe(404);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer.json()).toMatchObject({ code: 'not_found', status: 404, instance: answer.headers['x-ms-request-id'] });
});

test('8.6 a call of the video service that is not had here is told in the shape of its errors, and is no page', async () => {
  const { account } = server;
  const location = account.split('/')[1];
  for (const [method, url] of [
    ['GET', `${account}/Videos/3a9220459b/streaming-url?urlFormat=HLS_V4`],
    ['GET', `${account}/Videos/3a9220459b/PlayerWidget`],
    ['GET', `${account}/Videos/3a9220459b/SourceFile/DownloadUrl`],
    ['GET', `${account}/Videos/3a9220459b/ArtifactUrl?type=Ocr`.toLowerCase()],
    ['GET', `${account}/Customization/PersonModels`],
    ['GET', `${account}`],
    ['POST', `${account}/Projects`],
    ['DELETE', `${account}/Videos/3a9220459b/SourceFile`],
    ['GET', `/Auth/${location}/Users/me/AccessToken`],
    ['GET', `/auth/${location}/Accounts?generateAccessTokens=true`],
    ['GET', '/mars/Accounts/nobody/Videos/3a9220459b'],
    ['GET', '/Partner/Breakdowns/3a9220459b'],
  ] as const) {
    const answer = await server.app.inject({ method, url });
    expect([url, answer.statusCode, answer.headers['content-type'], answer.json()]).toEqual([
      ...[url, 404, 'application/json; charset=utf-8'],
      { ErrorType: 'UNSUPPORTED', Message: expect.stringContaining(`Trace id: '${String(answer.headers['x-ms-request-id'])}'.`) },
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
  // Pages and what is no call of it stay what they are.
  for (const url of ['/account', '/admin/accounts', '/accounts/x', '/auth/x', '/partner'])
    expect([url, (await server.app.inject({ url })).headers['content-type']]).toEqual([url, 'text/html; charset=utf-8']);
});

test('a method that nothing here takes is refused in the shape of what was asked', async () => {
  const origin = await server.listen();
  const bodies = {
    '/search': { code: 'method_not_allowed', status: 405 },
    '/api/session': { code: 'method_not_allowed', status: 405 },
    [`${server.account}/Videos`]: { ErrorType: 'UNSUPPORTED', Message: expect.stringContaining('PROPFIND') },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const answer = await fetch(origin + path, { method: 'PROPFIND' });
    expect([path, answer.status, answer.headers.get('allow'), await answer.json()]).toMatchObject([
      ...[path, 405, expect.stringContaining('GET')],
      body,
    ]);
  }
});
