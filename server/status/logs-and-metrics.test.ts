import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addFilm } from '#testing/add-film.ts';
import { addPerson } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { rawAnswer } from '#testing/raw-request.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { watchAnswers } from './metrics.ts';
import { readStatus } from './read-status.ts';

const metricsToken = 'a-token-for-what-measures';
let server: TestServer;
let lines: string[];
beforeAll(async () => {
  lines = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  server = await startTestServer({ RUSHES_LOG: 'debug', RUSHES_METRICS_TOKEN: metricsToken });
});
afterAll(async () => {
  await server.stop();
  vi.restoreAllMocks();
});

/** What people look for, and what lets somebody in. */
const query = 'xylographer of Norvik';

async function useTheArchive(): Promise<string[]> {
  const film = await addFilm(server.context, { name: 'Harbour', lines: ['The xylographer of Norvik'] });
  await indexFilms(server.context);
  const viewer = await addPerson(server.context, { viewer: true });
  const [account, video, bearer] = [await server.guestToken(), await viewer.videoToken(film), await viewer.bearer()];
  const ours = { origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  const search = new URLSearchParams({ query, accessToken: account });
  await server.app.inject(`${server.account}/Videos/Search?${search}`);
  await server.app.inject(`/api/suggestions?${search}`);
  await server.app.inject(`/search?${search}`);
  await server.app.inject(`${server.account}/Videos/Search?query=${'x'.repeat(2_000)}${encodeURIComponent(query)}`);
  await server.app.inject(`/embed/player/trial/${film}/?accessToken=${video}`);
  await server.app.inject({ url: `/nothing/${video}?accessToken=${account}`, headers: { cookie: viewer.cookie } });
  await server.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${bearer}` } });
  const link = { token: 'k'.repeat(43), email: 'ann@people.example' };
  await server.app.inject({ method: 'POST', url: '/api/sign-in-link', headers: ours, payload: link });
  await server.app.inject({ method: 'POST', url: '/api/search-opened', headers: ours, payload: { query } });
  return [account, video, bearer, viewer.cookie.split('=')[1] ?? '', link.token, link.email, metricsToken, query, 'xylographer'];
}

test('every line of the log is JSON and tells the request by its id; none holds a token, a query or an address', async () => {
  const secrets = await useTheArchive();
  const answer = await server.app.inject('/api/users/nobody');
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.filter(({ event }) => event === 'request').length).toBeGreaterThanOrEqual(10);
  expect(logged).toContainEqual(
    expect.objectContaining({ event: 'request', request: answer.json().instance, route: '/api/users/:uid', method: 'GET', status: '401' }),
  );
  const text = lines.join('');
  for (const secret of secrets)
    for (const form of [secret, encodeURIComponent(secret), secret.replaceAll(' ', '+')]) expect(text).not.toContain(form);
});

const read = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  server.app.inject({ url: '/metrics', headers: { host: 'localhost:4000', ...headers }, remoteAddress });

test('figures are for programs on this machine, or with the token; no proxy brings anybody in', async () => {
  expect((await read({})).statusCode).toBe(200);
  expect((await read({}, '203.0.113.9')).statusCode).toBe(403);
  expect((await read({ authorization: `Bearer ${metricsToken}` }, '203.0.113.9')).statusCode).toBe(200);
  for (const wrong of ['', `${metricsToken}x`, metricsToken.toUpperCase()])
    expect((await read({ authorization: `Bearer ${wrong}` }, '203.0.113.9')).statusCode).toBe(403);
  // From this machine, in somebody else's name.
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
    expect((await read({ [name]: '203.0.113.9' })).statusCode).toBe(403);
  expect((await read({ authorization: 'Bearer something-else' })).statusCode).toBe(403);
});

test('a proxy that says nothing of itself brings nobody in either', async () => {
  const open = await startTestServer({ RUSHES_PUBLIC_URL: 'https://archive.example' });
  const origin = await open.app.listen({ host: '127.0.0.1', port: 0 });
  const asks = (version: string) => rawAnswer(origin, `GET /metrics HTTP/${version}\r\nHost: localhost:4000\r\nConnection: close\r\n\r\n`);
  expect((await asks('1.1')).status).toBe(200);
  expect((await asks('1.0')).status).toBe(403);
  await open.stop();
});

test('Prometheus reads how long answers took by route, what waits and what is free, and nothing of anybody', async () => {
  const secrets = await useTheArchive();
  const { body, headers } = await read({});
  expect(headers['content-type']).toContain('text/plain');
  expect(body).toMatch(
    /^rushes_http_request_seconds_count\{method="GET",route="\/:location\/Accounts\/:account\/Videos\/Search",status="200"\} [1-9]/m,
  );
  expect(body).toMatch(/^rushes_queue_films\{queue="index",state="waiting"\} 0$/m);
  expect(body).toMatch(/^rushes_processes\{does="web"\} 1$/m);
  expect(body).toMatch(/^rushes_disk_free_bytes\{machine="[^"]+"\} [1-9]/m);
  expect(body).toMatch(/^rushes_warnings\{is="bad"\} [1-9]/m);
  expect(body).toMatch(/^process_resident_memory_bytes [1-9]/m);
  for (const secret of secrets) expect(body).not.toContain(secret);
});

test('figures have the names that dashboards hold, each once, and are those of their own server', async () => {
  const { body } = await read({});
  const told = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  const ours = [
    'processes',
    'queue_films',
    'queue_oldest_seconds',
    'disk_free_bytes',
    'process_memory_bytes',
    'index_batch',
    'index_films',
  ];
  const further = ['database_connections', 'database_size_bytes', 'originals_bytes', 'backup_age_seconds', 'certificate_seconds_left'];
  const usual = ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'process_start_time_seconds'];
  expect(told.toSorted()).toEqual(
    [
      ...['rushes_http_request_seconds histogram', 'process_cpu_seconds_total counter'],
      ...[...ours, ...further, 'warnings'].map((name) => `rushes_${name} gauge`),
      ...usual.map((name) => `${name} gauge`),
    ].toSorted(),
  );
  const [asked, other] = [Fastify(), Fastify()];
  const [ofAsked, ofOther] = [watchAnswers(asked, server.context.log), watchAnswers(other, server.context.log)];
  await asked.inject('/nothing');
  const status = await readStatus(server.context, null);
  expect(await ofAsked.write(status)).toMatch(
    /^rushes_http_request_seconds_bucket\{le="30",method="GET",route="nothing",status="404"\} 1$/m,
  );
  expect(await ofOther.write(status)).not.toContain('route=');
  await Promise.all([asked.close(), other.close()]);
});
