import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ProblemBody } from '#contract/problem.ts';
import { openPool } from '#domain/db/database.ts';
import { readIndexState, writeIndexState } from '#domain/files/index-state.ts';
import { openSearch } from '#domain/search/open-search.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { indexFilms } from '#testing/index-films.ts';
import { emptyDisk, openMemoryStore } from '#testing/memory-store.ts';
import { rawAnswer } from '#testing/raw-request.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { buildApp } from './app.ts';

const Entry = z.object({ id: z.string(), name: z.string(), headers: z.record(z.string(), z.string()), expect: z.string() });
const entries = readCorpus('headers', Entry);
const named = (name: string) => entries.find((entry) => entry.name === name)?.headers ?? {};

let server: TestServer;
let person: Person;

beforeEach(async () => {
  person = await addPerson(server.context, { viewer: true });
});
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test.each(entries)('a request with the headers of $id ($name) is never a fault of ours', async ({ headers }) => {
  const origin = await server.listen();
  const lines = Object.entries({ host: new URL(origin).host, connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}`);
  const status = await statusOfRaw(origin, ['GET /search?query=a HTTP/1.1', ...lines]);
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
});

test.each([
  ['te-cl', 400],
  ['expect', 417],
  ['cookie-huge', 431],
])('a request with the headers of %s ends with %i', async (name, status) => {
  const origin = await server.listen();
  const lines = Object.entries({ host: new URL(origin).host, connection: 'close', ...named(name) }).map(
    ([key, value]) => `${key}: ${value}`,
  );
  expect(await statusOfRaw(origin, ['GET /search HTTP/1.1', ...lines])).toBe(status);
});

test.each(['auth-dup', 'auth-basic'])('the credentials of %s open nothing', async (name) => {
  const answer = await server.app.inject({ url: `${server.account}/Videos/Search`, headers: lowerCased(named(name)) });
  expect(answer.statusCode).toBe(401);
});

test.each([
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil.example:80',
  '127.0.0.2',
  '[::2]',
  'localhost@evil.example',
  'localhost:65536',
])('a practice archive refuses the host "%s"', async (host) => {
  const answer = await server.app.inject({ url: '/', headers: { host } });
  expect(answer.statusCode).toBe(400);
  expect(answer.body).not.toContain('evil');
});

test.each(['localhost', 'localhost:4000', 'LOCALHOST:4000', '127.0.0.1:4000', '[::1]:4000'])(
  'a practice archive answers to %s',
  async (host) => {
    expect((await server.app.inject({ url: '/', headers: { host } })).statusCode).toBe(200);
  },
);

test('an open archive answers to its own name, and builds no address from what a request says', async () => {
  const open = await startTestServer({ RUSHES_PUBLIC_URL: 'https://archive.example' });
  try {
    const own = await open.app.inject({
      url: '/opensearch.xml',
      headers: { host: 'archive.example', ...named('xfh'), ...named('forwarded') },
    });
    expect(own.body).toContain('https://archive.example/search?query=');
    expect(own.body).not.toContain('evil');
    expect(own.headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await open.app.inject({ url: '/', headers: { host: 'evil.example' } })).statusCode).toBe(400);
    const change = { method: 'POST', url: '/api/sign-out', payload: '{}' } as const;
    for (const [origin, status] of [
      ['https://archive.example', 200],
      ['http://archive.example', 403],
    ] as const) {
      const headers = { host: 'archive.example', cookie: 'a=b', origin, 'content-type': 'application/json' };
      expect([origin, (await open.app.inject({ ...change, headers })).statusCode]).toEqual([origin, status]);
    }
    expect((await open.app.inject({ url: '/healthz', headers: { host: '10.1.2.3' } })).statusCode).toBe(200);
    expect(
      (await open.app.inject({ url: '/practice/.well-known/openid-configuration', headers: { host: 'archive.example' } })).statusCode,
    ).toBe(404);
  } finally {
    await open.stop();
  }
});

test.each(['origin-null', 'origin-evil', 'origin-suffix', 'origin-missing', 'sfs-cross', 'sfs-same-site'])(
  'a change with the headers of %s is refused',
  async (name) => {
    const answer = await signOut({ ...named(name) });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden']);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect((await server.app.inject({ url: '/api/session', headers: { cookie: person.cookie } })).json().user.uid).toBe(person.uid);
  },
);

test.each(['ctype-text', 'ctype-form', 'ctype-multipart', 'ctype-charset'])('a change whose body is %s is refused', async (name) => {
  const answer = await signOut({ origin: 'http://localhost:80', ...named(name) });
  expect(answer.statusCode).toBe(415);
});

test('one file alone may compile what it brings along: the worker that hashes what is sent', async () => {
  const policyOf = async (url: string) => (await server.app.inject({ url })).headers['content-security-policy'];
  expect(await policyOf('/assets/hash-worker-1a2b3c4d.js')).toBe("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'");
  for (const url of ['/assets/site-1a2b3c4d.js', '/desk', '/assets/hash-worker-1a2b3c4d.js/x', '/x?/assets/hash-worker-1a2b3c4d.js'])
    expect(await policyOf(url)).not.toContain('wasm');
});

test('neither a header nor a parameter turns a reading into another method', async () => {
  const answer = await server.app.inject({ url: '/api/session', headers: { cookie: person.cookie, ...named('method-override') } });
  expect([answer.statusCode, answer.json().user.uid]).toEqual([200, person.uid]);
});

test('a forged forwarded address is not who asks', async () => {
  const open = { RUSHES_PUBLIC_URL: 'http://localhost:4141' };
  const busy = await startTestServer({ ...open, RUSHES_TOKENS_PER_MINUTE: '60', RUSHES_TOKEN_BURST: '3' });
  try {
    const ask = (n: number) =>
      busy.app.inject({ url: '/api/GetVideoIndexerAccountTokenV2', headers: { 'x-forwarded-for': `198.51.${n}.1` } });
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => ask(n)));
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(3);
  } finally {
    await busy.stop();
  }
});

test('8.6 every answer of ours that is an error has the one documented shape', async () => {
  for (const url of [
    '/api/user-token',
    '/api/nothing',
    '/media/0123456789/poster.jpg',
    '/api/GetVideoIndexerVideoAccessTokenV2/x',
    '/api/%',
  ]) {
    const answer = await server.app.inject({ url });
    expect([url, answer.headers['content-type']]).toEqual([url, 'application/problem+json; charset=utf-8']);
    expect(answer.json()).toEqual({
      type: expect.stringMatching(/^urn:rushes:problem:/),
      title: expect.any(String),
      status: answer.statusCode,
      detail: expect.any(String),
      code: expect.stringMatching(/^[a-z_]+$/),
      instance: answer.headers['x-ms-request-id'],
    });
  }
});

test.each([
  [
    'an address and headers above 16 kB',
    `GET / HTTP/1.1\r\nHost: localhost\r\nx-long: ${'a'.repeat(17_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_parameter'],
  ['a first line that is none', 'ICH BIN KEIN HTTP\r\n\r\n', 400, 'invalid_parameter'],
  ['a length that is no number', 'POST /api/sign-out HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n', 400, 'invalid_parameter'],
])('8.6 what cannot be read as a request is told in the same shape: %s', async (_what, request, status, code) => {
  const answer = await rawAnswer(await server.listen(), request);
  const problem = ProblemBody.strict().parse(JSON.parse(answer.body));
  expect([answer.status, problem.status, problem.code]).toEqual([status, status, code]);
  const { headers: usual } = await server.app.inject({ url: '/api/nothing' });
  const own = { 'x-ms-request-id': problem.instance, 'content-length': answer.body.length, connection: 'close' };
  const wanted = Object.entries({ ...usual, ...own }).filter(([name]) => name !== 'date');
  expect(answer.head.toLowerCase().split('\r\n').slice(1)).toEqual(
    expect.arrayContaining(wanted.map(([name, value]) => `${name}: ${value}`.toLowerCase())),
  );
});

test('a database that is away is told as such, and says when to come back', async () => {
  const nowhere = openPool({ connectionString: 'postgres://app@127.0.0.1:9/rushes' });
  const search = openSearch({ pool: nowhere, index: server.context.search.index, budgetBytes: 0 });
  const app = await buildApp({ ...server.context, pool: nowhere, search });
  try {
    const answer = await app.inject({ url: `${server.account}/Videos/Search?accessToken=${await server.guestToken()}` });
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().ErrorType]).toEqual([503, '2', 'SERVER_TIMEOUT']);
    expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
    expect((await app.inject({ url: '/readyz' })).statusCode).toBe(503);
  } finally {
    await app.close();
    await nowhere.end();
  }
});

test('a machine whose copy of the index is of another version is not ready until it has one of its own', async () => {
  const { context } = server;
  await addFilm(context, { name: 'Harbour', lines: ['The harbour lights came on'] });
  await indexFilms(context);
  const own = await readIndexState(context.folder.index);
  if (!own) throw new Error('the index was not written');
  const app = await buildApp({ ...context, store: openMemoryStore(emptyDisk()) });
  const ready = async () => {
    const { statusCode, body } = await app.inject({ url: '/readyz' });
    return [statusCode, body];
  };
  try {
    expect(await ready()).toEqual([200, 'ready\n']);
    await writeIndexState(context.folder.index, { ...own, format: own.format - 1 });
    expect(await ready()).toEqual([503, 'not ready: the search index is still being copied here\n']);
    await writeIndexState(context.folder.index, own);
    expect(await ready()).toEqual([200, 'ready\n']);
  } finally {
    await app.close();
  }
});

function signOut(headers: Record<string, string>) {
  const body = { 'content-type': 'application/json', cookie: person.cookie, host: 'localhost:80', ...lowerCased(headers) };
  return server.app.inject({ method: 'POST', url: '/api/sign-out', headers: body, payload: '{}' });
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A request byte by byte as written; 0 when the connection ends without an answer. */
function statusOfRaw(origin: string, lines: string[]): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((done) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.on('data', (chunk) => {
      answer += chunk;
      if (answer.includes('\r\n')) socket.destroy();
    });
    socket.on('error', () => {}).on('close', () => done(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)));
  });
}
