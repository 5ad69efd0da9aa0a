import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#contract/endpoints.ts';
import { rawRoutes } from '#contract/raw-routes.ts';
import { removeUser } from '#domain/users/remove-user.ts';
import { setRoles } from '#domain/users/set-roles.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { rawStatus } from '#testing/raw-request.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

const identities = ['guest', 'newcomer', 'viewer', 'editor', 'admin', 'revoked', 'deleted'] as const;
type Identity = (typeof identities)[number];
type Need = (typeof routes)[number]['need'];

const routes = [...Object.values(endpoints), ...Object.values(rawRoutes)];
let server: TestServer;
let film: string;
let other: string;

beforeAll(async () => {
  server = await startTestServer();
  film = await addFilm(server.context);
  other = await addFilm(server.context);
});
afterAll(() => server.stop());

/** Who gets past the need; everybody else gets this status. */
const refusals: Record<Need, Partial<Record<Identity, number>>> = {
  guest: {},
  'signed-in': { guest: 401, deleted: 401 },
  view: { guest: 401, newcomer: 403, revoked: 403, deleted: 401 },
  edit: { guest: 401, newcomer: 403, viewer: 403, revoked: 403, deleted: 401 },
  admin: { guest: 401, newcomer: 403, viewer: 403, editor: 403, revoked: 403, deleted: 401 },
  'account-token': {},
  'account-or-video-token': {},
  'admin-token': { guest: 403, newcomer: 403, viewer: 403, editor: 403, revoked: 403, deleted: 403 },
  'video-token': { guest: 401, newcomer: 403, revoked: 403, deleted: 401 },
  'media-cookie': { guest: 401, newcomer: 403, revoked: 403, deleted: 401 },
};

const cases = routes.flatMap((route) => identities.map((identity) => ({ route, identity, name: `${route.method} ${route.path}` })));

test.each(cases)('$name asks $identity for what it needs', async ({ route, identity }) => {
  const answer = await server.app.inject({
    method: route.method,
    url: addressOf(route.path),
    headers: { ...(await credentials(route, identity)), 'content-type': route.method === 'POST' ? 'application/json' : undefined },
    payload: route.method === 'POST' ? '{}' : undefined,
  });
  const expected = refusals[route.need][identity];
  if (expected !== undefined) expect(answer.statusCode).toBe(expected);
  else expect([401, 403]).not.toContain(answer.statusCode);
  expect(answer.statusCode).toBeLessThan(500);
});

test('the application has no route that the tables lack', () => {
  const listed = new Set<string>(routes.map((route) => route.path));
  // The built files, and the practice provider that stands in for another company's site.
  const isApart = (path: string) => path === '/assets/*' || path.startsWith('/practice/');
  expect([...server.routePaths].filter((path) => !listed.has(path) && !isApart(path))).toEqual([]);
  expect([...listed].filter((path) => !server.routePaths.has(path))).toEqual([]);
});

const variants = z
  .object({ pathVariants: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '..', 'testing', 'corpus', 'role-matrix.json'), 'utf8'))).pathVariants;

test.each(variants)('the spelling %s of a guarded path is no way around', async (variant) => {
  const origin = await server.listen();
  const viewer = await addIdentity('viewer');
  const path = variant
    .replace('/api/users', '/api/user-token')
    .replace('{A}', film)
    .replace('{B}', other)
    .replace('master.m3u8', 'hls/master.m3u8');
  // Whoever may watch one film, and no session at all: the functions want one, and the other film another token.
  const headers = { authorization: `Bearer ${await viewer.videoToken(other)}` };
  expect([400, 401, 403, 404]).toContain(await rawStatus(origin, path));
  expect([400, 401, 403, 404]).toContain(await rawStatus(origin, path, headers));
});

const wrongTokens: [string, () => Promise<string>][] = [
  ['a token of another video', async () => (await addIdentity('viewer')).videoToken(other)],
  ['an account token', () => server.guestToken()],
];

test.each(wrongTokens)('%s opens neither index nor frames nor streams', async (_which, mint) => {
  const headers = { authorization: `Bearer ${await mint()}` };
  for (const route of routes.filter(({ need }) => need === 'video-token' || need === 'media-cookie')) {
    const answer = await server.app.inject({ method: route.method, url: addressOf(route.path), headers });
    expect([route.path, answer.statusCode]).toEqual([route.path, 403]);
  }
});

function rolesOf(identity: Identity) {
  return (
    { viewer: { viewer: true }, revoked: { viewer: true }, deleted: { viewer: true }, editor: { editor: true }, admin: { admin: true } }[
      String(identity)
    ] ?? {}
  );
}

/** Somebody who was let in at first; what they hold is from that time. */
async function addIdentity(identity: Exclude<Identity, 'guest'>): Promise<Person> {
  const person = await addPerson(server.context, rolesOf(identity));
  if (identity === 'revoked') await setRoles(server.context.pool, person.uid, {});
  if (identity === 'deleted') await removeUser(server.context.pool, person.uid);
  return person;
}

/** The strongest credentials of that kind which this identity ever held. */
async function credentials({ need, path }: (typeof routes)[number], identity: Identity): Promise<Record<string, string>> {
  const byAccountToken = need.includes('account') || need === 'admin-token';
  if (identity === 'guest') return byAccountToken ? { authorization: `Bearer ${await server.guestToken()}` } : {};
  const person = await addIdentity(identity);
  if (byAccountToken) return { authorization: `Bearer ${await person.accountToken()}` };
  if (need === 'video-token' || need === 'media-cookie') return { authorization: `Bearer ${await person.videoToken(film)}` };
  if (path === endpoints.videoToken.path) return { authorization: `Bearer ${await person.bearer()}` };
  return { cookie: person.cookie, origin: 'http://localhost:80', host: 'localhost:80' };
}

function addressOf(path: string): string {
  const { location, accountId } = server.context.config.videoService;
  const values: Record<string, string> = { location, account: accountId, id: film, thumbnailId: '00000000-0000-0000-0000-000000000000' };
  return path.replace(/:(\w+)/g, (_whole, name: string) => values[name] ?? 'x').replace('*', 'hls/master.m3u8');
}
