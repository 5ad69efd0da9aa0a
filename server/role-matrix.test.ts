import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#contract/endpoints.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { type Findings, findLeaks } from '#testing/find-leaks.ts';
import { indexFilms } from '#testing/index-films.ts';
import { putReport } from '#testing/put-report.ts';
import { rawStatus } from '#testing/raw-request.ts';
import { addIdentity, askAs, type Ground, rows } from '#testing/role-matrix.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';
import { identities } from './access-check/identities.ts';
import { buildApp } from './app.ts';
import { createFastify } from './http/create-fastify.ts';
import { serve } from './http/serve.ts';

let server: TestServer;
let ground: Ground;
let other: string;
const total: Findings = { checks: 0, leaks: [] };

beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  ground = { app: server.app, context: server.context, film: await addFilm(server.context), guestToken: () => server.guestToken() };
  other = await addFilm(server.context);
  await indexFilms(server.context);
});
afterAll(() => server.stop());

test.each(rows)('$method $path lets in whom it needs and nobody else, by whatever method', async (row) => {
  const { checks, leaks } = await findLeaks(ground, row);
  total.checks += checks;
  total.leaks.push(...leaks);
  expect(leaks).toEqual([]);
});

const parts = rows.flatMap((row) => (row.path.match(/(?<=:)\w+|\*/g) ?? []).map((part) => ({ row, part })));

test('a NUL in any part of any address is no fault of the archive', async () => {
  const person = await addIdentity(ground.context, 'admin');
  const faults: string[] = [];
  for (const { row, part } of parts) {
    const { statusCode } = await askAs(ground, { row, identity: 'admin', method: row.method, nulAs: part, person });
    if (statusCode >= 500) faults.push(`${row.method} ${row.path} with a NUL as ${part}: ${statusCode}`);
  }
  expect(parts.length).toBeGreaterThan(50);
  expect(faults).toEqual([]);
});

test('the application has no route that the table lacks', () => {
  expect(unlisted(server.routes)).toEqual([]);
  expect(rows.map(({ method, path }) => `${method} ${path}`).filter((name) => !server.routes.has(name))).toEqual([]);
});

test('a route that the table lacks is noticed', async () => {
  const bare = createFastify(server.context);
  const routes = new Set<string>();
  bare.addHook('onRoute', ({ method, url }) => void routes.add(`${method} ${url}`));
  bare.get('/api/users/all', () => []);
  bare.delete('/api/session', () => ({}));
  const app = await buildApp(server.context, bare);
  expect(unlisted(routes)).toEqual(['GET /api/users/all', 'DELETE /api/session']);
  await app.close();
});

test('a route that asks for less than its row says is noticed', async () => {
  const weak = createFastify(server.context);
  await weak.register(cookie);
  const { listUsers } = endpoints;
  const page = { users: [], total: 0, nextPage: { skip: 0, done: true } };
  serve({ app: weak, context: server.context }, { ...listUsers, need: 'signed-in', reads: 'self' }, () => page);
  const { leaks } = await findLeaks({ ...ground, app: weak }, listUsers);
  expect(leaks.map((leak) => leak.replace(/, .*/, ''))).toEqual(
    ['pending', 'viewer', 'editor', 'revoked'].flatMap((identity) =>
      ['GET', 'HEAD'].map((method) => `${method} /api/users as ${identity}: 200`),
    ),
  );
  await weak.close();
});

const Corpus = z.object({
  pathVariants: z.array(z.string()),
  entries: z.array(z.object({ id: z.string(), kind: z.string(), call: z.string(), expect: z.record(z.enum(identities), z.string()) })),
});
const corpus = Corpus.parse(JSON.parse(readFileSync(join(import.meta.dirname, '..', 'testing', 'corpus', 'role-matrix.json'), 'utf8')));

test.each(corpus.pathVariants)('the spelling %s of a guarded path is no way around', async (variant) => {
  const origin = await server.listen();
  const path = variant.replace('{A}', ground.film).replace('{B}', other).replace('master.m3u8', 'hls/master.m3u8');
  const viewer = await addIdentity(server.context, 'viewer');
  // Whoever may watch one film, and everybody who is no administrator: the other film wants another token, and the users a role.
  const keys: Record<string, string>[] = [{}, { authorization: `Bearer ${await viewer.videoToken(other)}` }, { cookie: viewer.cookie }];
  for (const identity of ['pending', 'editor', 'revoked'] as const)
    keys.push({ cookie: (await addIdentity(server.context, identity)).cookie });
  for (const headers of keys) {
    total.checks += 1;
    const status = await rawStatus(origin, path, headers);
    if (![400, 401, 403, 404].includes(status)) total.leaks.push(`${path}: ${status}`);
    expect([400, 401, 403, 404]).toContain(status);
  }
});

const calls: Record<string, (self: string, another: string) => [method: 'GET' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object]> =
  {
    'GET /api/users': () => ['GET', '/api/users'],
    'GET /api/users/{self}': (self) => ['GET', `/api/users/${self}`],
    'GET /api/users/{other}': (_self, another) => ['GET', `/api/users/${another}`],
    'PUT /api/users/{self} {displayName}': (self) => ['PUT', `/api/users/${self}`, { displayName: 'Ann' }],
    'PUT /api/users/{self} {roles:{admin:true}}': (self) => ['PUT', `/api/users/${self}`, { roles: { admin: true } }],
    'PATCH /api/users/{self}/roles': (self) => ['PATCH', `/api/users/${self}/roles`, { role: 'editor', granted: true }],
    'PATCH /api/users/{other}/roles': (_self, another) => ['PATCH', `/api/users/${another}/roles`, { role: 'editor', granted: true }],
    'PATCH /api/users/{other}/roles {superuser:true}': (_self, another) => ['PATCH', `/api/users/${another}/roles`, { superuser: true }],
    'DELETE /api/users/{other}': (_self, another) => ['DELETE', `/api/users/${another}`],
    'DELETE /api/users/{self}': (self) => ['DELETE', `/api/users/${self}`],
  };
// Two administrators who race for each other have tests of their own.
const ofUsers = corpus.entries.filter(({ kind, call }) => kind === 'users' && !call.endsWith('racing'));

test.each(ofUsers)('$id $call answers everybody as it should', async ({ call, expect: verdicts }) => {
  for (const identity of identities) {
    const another = await addPerson(server.context, { viewer: true });
    const person = identity === 'guest' ? null : await addIdentity(server.context, identity);
    const rolesBefore = await rolesIn(person);
    const [method, url, body] = calls[call]?.(person?.uid ?? another.uid, another.uid) ?? ['GET', '/'];
    const headers = { host: 'localhost:80', origin: 'http://localhost:80', ...(person ? { cookie: person.cookie } : {}) };
    const answer = await server.app.inject({ method, url, headers, payload: body });
    const allowed = (verdicts[identity] ?? '').match(/\d{3}/g);
    total.checks += 1;
    if (!allowed?.includes(String(answer.statusCode))) total.leaks.push(`${call} as ${identity}: ${answer.statusCode}`);
    expect([identity, allowed]).toEqual([identity, expect.arrayContaining([String(answer.statusCode)])]);
    expect(await rolesIn(person)).toEqual(rolesBefore);
  }
});

test.each([...Array(8).keys()])('6.1 roles are taken together: combination %i of the three', async (flags) => {
  const roles = { viewer: (flags & 1) > 0, editor: (flags & 2) > 0, admin: (flags & 4) > 0 };
  const person = await addPerson(server.context, roles);
  const ask = async (url: string, headers: Record<string, string>) => (await server.app.inject({ method: 'GET', url, headers })).statusCode;
  total.checks += 2;
  expect(await ask('/api/users', { cookie: person.cookie })).toBe(roles.admin ? 200 : 403);
  const videoToken = endpoints.videoToken.path.replace(':id', ground.film);
  expect(await ask(videoToken, { authorization: `Bearer ${await person.bearer()}` })).toBe(flags > 0 ? 200 : 403);
});

const wrongTokens: [string, () => Promise<string>][] = [
  ['a token of another video', async () => (await addIdentity(server.context, 'viewer')).videoToken(other)],
  ['an account token', () => server.guestToken()],
];

test.each(wrongTokens)('%s opens neither index nor frames nor streams', async (_which, mint) => {
  const headers = { authorization: `Bearer ${await mint()}` };
  for (const { method, path } of rows.filter(({ need }) => ['video-token', 'video-or-edit-token', 'media-cookie'].includes(need))) {
    const { location, accountId } = server.context.config.videoService;
    const url = path
      .replace(':location', location)
      .replace(':account', accountId)
      .replace(':id', ground.film)
      .replace('*', 'hls/master.m3u8');
    const answer = await server.app.inject({ method: method as 'GET', url, headers });
    expect([path, answer.statusCode]).toEqual([path, 403]);
  }
});

test('every check of the matrix was made, and none found a leak', ({ task }) => {
  putReport(task, { check: 'role-matrix', routes: rows.length, checks: total.checks, leaks: total.leaks.length });
  expect(ofUsers).toHaveLength(10);
  expect(total.checks).toBeGreaterThan(rows.length * identities.length);
  expect(total.leaks).toEqual([]);
});

/** Registered routes that do not stand in the table, without the built files and the practice provider that stands in for another company's site. */
function unlisted(routes: ReadonlySet<string>): string[] {
  const listed = new Set(rows.map(({ method, path }) => `${method} ${path}`));
  const isApart = (name: string) => / (\/assets\/\*|\/practice\/.*)$/.test(name);
  // What is read answers HEAD by itself.
  const isShadow = (name: string) => name.startsWith('HEAD ') && routes.has(name.replace('HEAD', 'GET'));
  return [...routes].filter((name) => !listed.has(name) && !isApart(name) && !isShadow(name));
}

async function rolesIn(person: Person | null): Promise<unknown> {
  const { rows: found } = await server.context.pool.query('select roles from users where id = $1', [person?.uid ?? '']);
  return found;
}
