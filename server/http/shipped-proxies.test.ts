import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '#contract/routes.ts';
import { setRoles } from '#domain/users/roles.ts';
import { findStreamVersion } from '#domain/videos/record-step.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, streamCookie } from '#testing/add-person.ts';
import { askOverTls, openOverTls, type TlsQuestion } from '#testing/ask-over-tls.ts';
import { isMissing } from '#testing/find-program.ts';
import { freePort } from '#testing/free-port.ts';
import { madeBytes } from '#testing/made-bytes.ts';
import { madeCertificate } from '#testing/made-certificate.ts';
import { rawAnswer } from '#testing/raw-request.ts';
import { shippedProxies } from '#testing/shipped-proxies.ts';
import type { RunningProxy } from '#testing/start-proxy.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { formOf } from '#testing/upload-client.ts';

interface Front {
  readonly server: TestServer;
  readonly proxy: RunningProxy;
  readonly httpPort: number;
  ask(question: TlsQuestion): ReturnType<typeof askOverTls>;
  open(question: TlsQuestion): ReturnType<typeof openOverTls>;
}

const names = ['nginx', 'caddy'] as const;
const certificate = madeCertificate('DNS:archive.example');
const fronts = new Map<string, Front>();

beforeAll(async () => {
  for (const name of names) if (certificate) await putBefore(name, certificate);
}, 240_000);
afterAll(async () => {
  for (const { server, proxy } of fronts.values()) {
    await proxy.stop();
    await server.stop();
  }
});

test.for(names)('%s carries a visit over TLS, and sends who comes without to it', async (name, { skip }) => {
  const { ask, httpPort } = frontOf(name, skip);
  expect((await ask({ path: '/' })).status).toBe(200);
  expect(JSON.parse((await ask({ path: '/api/session' })).body)).toEqual({ user: null });
  const plain = `GET /search?query=a HTTP/1.1\r\nHost: archive.example\r\nConnection: close\r\n\r\n`;
  const { status, head } = await rawAnswer(`http://127.0.0.1:${httpPort}`, plain);
  expect([301, 308]).toContain(status);
  expect(head).toMatch(/location: https:\/\/archive\.example(:\d+)?\/search\?query=a/i);
});

test.for(names)('%s hands an event on as it comes', async (name, { skip }) => {
  const { open, server } = frontOf(name, skip);
  const person = await addPerson(server.context, {});
  const answer = await open({ path: '/api/session/events', headers: { cookie: person.cookie } });
  let heard = '';
  answer.setEncoding('utf8').on('data', (chunk) => (heard += chunk));
  await until(() => heard.includes('data:'), { withinMs: 10_000 });
  expect(heard).not.toContain('"viewer":true');
  await setRoles(server.context.pool, person.uid, { viewer: true });
  await until(() => heard.includes('"viewer":true'), { withinMs: 10_000 });
  answer.destroy();
});

test.for(names)('%s says where a visitor comes from, whatever they say of it themselves', async (name, { skip }) => {
  const { ask } = frontOf(name, skip);
  const path = '/api/GetVideoIndexerAccountTokenV2';
  const forged = (n: number) => ({ 'x-forwarded-for': `198.51.${n}.1`, forwarded: `for=198.51.${n}.1` });
  const statuses = [];
  for (let n = 0; n < 5; n += 1) statuses.push((await ask({ path, headers: forged(n) })).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  // Another network is not held up by that.
  expect((await ask({ path, from: '127.0.5.1' })).status).toBe(200);
});

test.for(names)('%s lets a film of a script through, and no other body of that size', async (name, { skip }) => {
  const { ask, server } = frontOf(name, skip);
  const token = await (await addPerson(server.context, { editor: true })).editToken();
  const { type, body } = formOf(madeBytes(1_500_000, `through ${name}`), 'film.mp4');
  const sent = { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': type }, body };
  expect(JSON.parse((await ask({ ...sent, path: `${server.account}/Videos?name=Harbour` })).body)).toMatchObject({ state: 'Uploaded' });
  // For its size, or for its kind before all of it was sent; Caddy may say that the archive would not have it.
  expect([413, 415, 502]).toContain((await ask({ ...sent, path: '/api/sign-out' })).status);
});

test.for(names)('%s lets through as much as each route of the pages and of scripts takes', async (name, { skip }) => {
  const { ask, server } = frontOf(name, skip);
  const editor = await addPerson(server.context, { editor: true });
  const authorization = `Bearer ${await editor.editToken()}`;
  const large = Object.values(routes).flatMap((row) => ('bodyMaxBytes' in row && row.bodyMaxBytes > 900_000 ? [row] : []));
  expect(large.length).toBeGreaterThan(5);
  for (const { path, method, bodyMaxBytes } of large) {
    const isOfPages = path.startsWith('/api/');
    const opens: Record<string, string> = isOfPages ? { cookie: editor.cookie, origin: 'https://archive.example' } : { authorization };
    const headers = { 'content-type': isOfPages || method === 'PATCH' ? 'application/json' : 'text/vtt', ...opens };
    const asked = { method, path: path.replaceAll(/:\w+/g, '0123456789'), headers, body: Buffer.alloc(bodyMaxBytes - 100, 32) };
    // The archive reads it, and says in its own words what it thinks of so many blanks.
    expect([path, await ask(asked)]).toEqual([path, { status: expect.toBeOneOf([400, 404]), body: expect.stringMatching(/^\{"/) }]);
  }
});

test('nginx lets one address have so many requests under way, and others go on', async ({ skip }) => {
  const { ask, open, server } = frontOf('nginx', skip);
  const { cookie } = await addPerson(server.context, {});
  const held = [];
  for (let n = 0; n < 5; n += 1) held.push(await open({ path: '/api/session/events', headers: { cookie } }));
  expect((await ask({ path: '/' })).status).toBe(429);
  expect((await ask({ path: '/', from: '127.0.5.1' })).status).toBe(200);
  for (const answer of held) answer.destroy();
  await until(async () => (await ask({ path: '/' })).status === 200, { withinMs: 10_000 });
});

test('nginx keeps segments, and hands them to nobody but whom the archive let in within the last seconds', async ({ skip }) => {
  const { ask, open, server } = frontOf('nginx', skip);
  const { app, context } = server;
  const asked: string[] = [];
  app.server.on('request', ({ url }: { url?: string }) => asked.push(url ?? ''));
  const [film, other] = [await addFilm(context), await addFilm(context)];
  const path = `/media/${film}/hls/v1/segment-00000.m4s`;
  const person = await addPerson(context, { viewer: true });
  const headers = { cookie: await streamCookie(context, person, film) };
  const first = await open({ path, headers });
  expect([first.statusCode, await text(first), first.headers['cache-control']]).toEqual([200, 'abcdefghij', 'private, max-age=3600']);
  const part = await open({ path, headers: { ...headers, range: 'bytes=2-4' } });
  expect([part.statusCode, await text(part), part.headers['content-range']]).toEqual([206, 'cde', 'bytes 2-4/10']);
  expect((await ask({ path, headers: { ...headers, range: 'bytes=10-' } })).status).toBe(416);
  expect((await ask({ path, headers: { ...headers, 'if-none-match': String(first.headers.etag) } })).status).toBe(304);
  // One segment was fetched, once; and few verdicts, however the seconds fall.
  expect(asked.filter((url) => url === path)).toHaveLength(1);
  expect(asked.filter((url) => url.endsWith('/verdict')).length).toBeLessThan(4);
  // Under the name of now it is kept as well, and under names that visitors make up it is not.
  const named = `${path}?v=${await findStreamVersion(context.pool, film)}`;
  const madeUp = [`${path}?v=mine`, `${path}?v=mine:`];
  for (const url of [named, named, ...madeUp, ...madeUp]) expect((await ask({ path: url, headers })).body).toBe('abcdefghij');
  expect(asked.filter((url) => url === path)).toHaveLength(2 + 2 * madeUp.length);
  // Nobody gets in by what somebody else was let in with, nor by a spelling that only one of the two servers reads.
  const spelled = { cookie: headers.cookie.replace('=', ' =') };
  for (const sent of [spelled, { authorization: `Bearer ${await person.videoToken(film)}` }])
    expect((await ask({ path, headers: sent })).status).toBe(200);
  expect((await ask({ path })).status).toBe(401);
  expect((await ask({ path, headers: { cookie: '__Secure-m=x' } })).status).toBe(401);
  expect((await ask({ path: path.replace(film, other), headers })).status).toBe(403);
  // A film that was withdrawn is gone; segments that were made anew keep their names.
  const withdrawn = { path: path.replace(film, other), headers: { cookie: await streamCookie(context, person, other) } };
  expect((await ask(withdrawn)).status).toBe(200);
  await context.pool.query(`update videos set state = 'Quarantined' where id = $1`, [other]);
  await context.store.put(path.slice(1), Buffer.from('made anew'));
  await context.pool.query(`insert into ingest_steps (video_id, step, state, started_at) values ($1, 'renditions', 'running', now())`, [
    film,
  ]);
  await until(async () => (await ask({ path, headers })).body === 'made anew', { withinMs: 10_000 });
  await until(async () => (await ask(withdrawn)).status === 404, { withinMs: 10_000 });
  await setRoles(context.pool, person.uid, {});
  await until(async () => (await ask({ path, headers })).status !== 200, { withinMs: 10_000 });
  const refused = await open({ path, headers });
  expect([refused.statusCode, refused.headers['content-type'], refused.headers['cache-control']]).toEqual([
    403,
    'application/problem+json; charset=utf-8',
    'no-store',
  ]);
  refused.destroy();
});

test.for(names)(
  '%s writes no token, no cookie and nothing that was looked for into a log, also when the archive is away',
  async (name, { skip }) => {
    const { ask, open, proxy, server } = frontOf(name, skip);
    const film = await addFilm(server.context);
    const person = await addPerson(server.context, { viewer: true });
    const videoToken = await person.videoToken(film);
    const cookie = person.cookie;
    const secrets = [videoToken, cookie.split('=')[1] ?? '', 'a-link-of-somebody', 'harbour-lights'];
    const asked = [
      `/embed/player/x/${film}/?accessToken=${videoToken}`,
      '/login-email-link?token=a-link-of-somebody',
      '/search?query=harbour-lights',
    ];
    for (const path of asked)
      await ask({ path, headers: { cookie, referer: `https://archive.example/login-email-link?token=a-link-of-somebody` } });
    const isWritten = () => asked.every((path) => proxy.accessLog().includes(path.split('?')[0] ?? path));
    await until(isWritten, { withinMs: 10_000 });
    // More requests at once than one address may have, and a request that goes nowhere.
    const held = await Promise.all(Array.from({ length: 8 }, () => open({ path: '/api/session/events', headers: { cookie } })));
    await ask({ path: `/?accessToken=${videoToken}`, headers: { cookie } });
    for (const answer of held) answer.destroy();
    await server.app.close();
    const away = await ask({
      path: `/embed/player/x/${film}/?accessToken=${videoToken}`,
      headers: { cookie, authorization: `Bearer ${videoToken}` },
    });
    expect([502, 504]).toContain(away.status);
    for (const secret of secrets) expect([secret.slice(0, 12), proxy.everyLog().includes(secret)]).toEqual([secret.slice(0, 12), false]);
  },
);

function frontOf(name: string, skip: (why: string) => never): Front {
  return fronts.get(name) ?? skip(isMissing(certificate ? name : 'openssl'));
}

async function putBefore(name: keyof typeof shippedProxies, made: NonNullable<typeof certificate>): Promise<void> {
  const settings = {
    RUSHES_PUBLIC_URL: 'https://archive.example',
    RUSHES_TRUST_PROXY: '127.0.0.1',
    RUSHES_TOKENS_PER_MINUTE: '1',
    RUSHES_TOKEN_BURST: '3',
  };
  const server = await startTestServer(settings);
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const proxy = await shippedProxies[name]({ certificate: made, httpPort, httpsPort, archive: new URL(await server.listen()).host });
  if (!proxy) return await server.stop();
  const place = { port: httpsPort, ca: made.cert };
  fronts.set(name, {
    server,
    proxy,
    httpPort,
    ask: (question) => askOverTls(place, question),
    open: (question) => openOverTls(place, question),
  });
}
