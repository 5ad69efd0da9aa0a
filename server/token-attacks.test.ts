import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { SearchResponse } from '#contract/video-service/answers.ts';
import { endOwnSessions } from '#domain/signin/sessions.ts';
import { createSignInLink } from '#domain/signin/sign-in-links.ts';
import type { SigningKey } from '#domain/tokens/secrets.ts';
import { removeUser } from '#domain/users/delete-user.ts';
import { setRoles } from '#domain/users/roles.ts';
import { addFilm } from '#testing/add-film.ts';
import type { Person } from '#testing/add-person.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { forgedTokens, forgeToken, rightClaims } from '#testing/forged-tokens.ts';
import { type Door, guardedDoors } from '#testing/guarded-doors.ts';
import { type Knocking, knockAt } from '#testing/knock-at.ts';
import { putReport } from '#testing/put-report.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';
import { buildApp } from './app.ts';

const doors = guardedDoors();
/** Where a token counts: at the others the session's cookie does, and a token must not. */
const tokenDoors = doors.filter(({ key }) => key !== 'session cookie');
/** Doors whose holder is asked after in the database every time; a guest's account token needs nobody. */
const personalDoors = tokenDoors.filter(({ key }) => key !== 'account token');
const videoDoors = doors.filter(({ key }) => key === 'video token' || key === 'media cookie');
const corpus = readCorpus('tokens', z.object({ id: z.string(), name: z.string(), status: z.array(z.number()) }));
const tried = new Map<string, number>();
let accepted = 0;

let server: TestServer;
let film: string;
let other: string;
let knocking: Knocking;
let holder: Person;

beforeAll(async () => {
  // The attacks come faster than any visitor: what is tried here is the tokens.
  server = await startTestServer(withoutLimits);
  // An id of digits alone reads the same in capitals.
  do film = await addFilm(server.context);
  while (film === film.toUpperCase());
  other = await addFilm(server.context);
  knocking = knockAt(server, film);
  holder = await knocking.addHolder();
});
afterAll(() => server.stop());

test.each(doors)('$name opens to its own key, and to a hand-made one that is right in everything', async (door) => {
  const opens = async (credential: string, person: Person) =>
    expect([401, 403]).not.toContain(await knocking.knock(door, credential, { holder: person }));
  const person = await knocking.addHolder();
  await opens(await knocking.keyOf(door, person), person);
  if (door.key === 'session cookie') return;
  const another = await knocking.addHolder();
  const known = knownFrom(await knocking.keyOf(door, another));
  await opens(forgeToken({ key: signingKey(), known }, rightClaims(known)), another);
});

test.each(doors)('no forged token opens $name', async (door) => {
  const faults: string[] = [];
  const key = door.key === 'session cookie' ? await holder.bearer() : await knocking.keyOf(door, holder);
  for (const [id, what, token] of forgedTokens(signingKey(), knownFrom(key))) {
    // A header cannot hold NUL, and what surrounds a cookie's value is no part of it: no client can send those.
    if (door.carriedIn !== 'query' && token.includes('\0')) continue;
    if (door.carriedIn === 'cookie' && token.endsWith(' ')) continue;
    attack(faults, { id, what, status: await knocking.knock(door, token), allowed: statusesOf(id) });
  }
  expect(faults).toEqual([]);
});

test.each(doors)('other secrets of ours are no token at $name', async (door) => {
  const faults: string[] = [];
  const { token: link } = await createSignInLink(server.context.pool, { email: 'somebody@people.example', name: 'Somebody', network: '' });
  const part = (text: string) => Buffer.from(text).toString('base64url');
  const idToken = `${part('{"alg":"RS256"}')}.${part('{"sub":"u"}')}.${randomBytes(64).toString('base64url')}`;
  const secrets: Record<string, string> = {
    'token-043': door.key === 'session cookie' ? '' : (holder.cookie.split('=')[1] ?? ''),
    'token-044': idToken,
    'token-045': link,
    'token-046': randomBytes(16).toString('hex'),
    'token-047': randomBytes(16).toString('hex'),
  };
  for (const [id, secret] of Object.entries(secrets)) {
    if (secret === '') continue;
    attack(faults, { id, what: 'another secret', status: await knocking.knock(door, secret), allowed: [401] });
  }
  attack(faults, { id: 'token-001', what: 'nothing', status: await knocking.knock(door, undefined), allowed: [401] });
  const cookie = `accessToken=${await holder.videoToken(film)}; token=${await holder.bearer()}`;
  const status = await knocking.knock(door, undefined, { cookie });
  attack(faults, { id: 'token-050', what: 'in a cookie of another name', status, allowed: [401] });
  expect(faults).toEqual([]);
});

test.each(personalDoors)('what was true when a token was made is asked again at $name', async (door) => {
  const faults: string[] = [];
  const ends: [string, (person: Person) => Promise<unknown>][] = [
    ['token-030', ({ uid }) => removeUser(server.context.pool, uid)],
    ['token-031', ({ uid }) => setRoles(server.context.pool, uid, {})],
    ['token-032', ({ uid }) => endOwnSessions(server.context.pool, uid)],
  ];
  for (const [id, end] of ends) {
    // Signed in is all that those need: without a role they stay open.
    if (id === 'token-031' && door.need === 'signed-in') continue;
    const person = await knocking.addHolder();
    const key = await knocking.keyOf(door, person);
    await end(person);
    // Without its session the token of an administrator is that of a guest, who is known and may not.
    const allowed = door.key === 'admin token' ? [403] : statusesOf(id);
    attack(faults, { id, what: 'of the past', status: await knocking.knock(door, key, { holder: person }), allowed });
  }
  expect(faults).toEqual([]);
});

test.each(doors)('the key of another door does not open $name', async (door) => {
  const faults: string[] = [];
  const keys = {
    'account token': await server.guestToken(),
    'video token': await holder.videoToken(film),
    'user bearer': await holder.bearer(),
    'media cookie': await knocking.mediaCookie(holder, film),
  };
  for (const [key, token] of Object.entries(keys)) {
    if (key === door.key || (key === 'video token' && door.opensToEither)) continue;
    const ids = idsOfForeignKey(door, key);
    // The account token of a guest is one of an administrator without what it takes.
    for (const id of ids) attack(faults, { id, what: key, status: await knocking.knock(door, token), allowed: [401, 403] });
  }
  expect(faults).toEqual([]);
});

test.each(videoDoors)("another video's key does not open $name", async (door) => {
  const faults: string[] = [];
  const key = await knocking.keyOf(door, holder);
  const spellings: Record<string, string> = { 'token-039': other, 'token-053': film.toUpperCase(), 'token-054': `${film}0` };
  for (const [id, videoId] of Object.entries(spellings)) {
    attack(faults, { id, what: videoId, status: await knocking.knock(door, key, { videoId }), allowed: statusesOf(id) });
  }
  expect(faults).toEqual([]);
});

test.each(tokenDoors.filter(({ carriedIn }) => carriedIn === 'query'))('two tokens in one request do not open $name', async (door) => {
  const faults: string[] = [];
  const [good, bad] = [await knocking.keyOf(door, holder), await server.guestToken('another')];
  const both = await knocking.knock(door, good, { authorization: `Bearer ${bad}` });
  attack(faults, { id: 'token-048', what: 'header and query', status: both, allowed: statusesOf('token-048') });
  const twice = await knocking.knock(door, good, { query: `&accessToken=${bad}` });
  attack(faults, { id: 'token-049', what: 'query twice', status: twice, allowed: statusesOf('token-049') });
  expect(faults).toEqual([]);
});

test.each(tokenDoors)('a clock that is set back an hour lengthens no stay at $name', async (door) => {
  const faults: string[] = [];
  const person = await knocking.addHolder();
  const before = await knocking.keyOf(door, person);
  const now = Date.now();
  try {
    vi.useFakeTimers({ toFake: ['Date'], now: now - 3_600_000 });
    const status = await knocking.knock(door, before);
    attack(faults, { id: 'token-060', what: 'made after this hour', status, allowed: [401] });
    const meanwhile = await knocking.keyOf(door, person);
    const another = await knocking.addHolder();
    expect([401, 403]).not.toContain(await knocking.knock(door, await knocking.keyOf(door, another), { holder: another }));
    vi.setSystemTime(now + 1_000);
    const late = await knocking.knock(door, meanwhile);
    attack(faults, { id: 'token-060', what: 'made in that hour, when it is over', status: late, allowed: [401] });
  } finally {
    vi.useRealTimers();
  }
  expect(faults).toEqual([]);
});

test('a token of the key before opens every door until that key is forgotten, and then none', async () => {
  const faults: string[] = [];
  const next = { kid: 'key-next', bytes: randomBytes(32) };
  const withKeys = (...signingKeys: SigningKey[]) =>
    buildApp({ ...server.context, secrets: { ...server.context.secrets, signingKeys } }).then(async (app) => app.ready().then(() => app));
  const apps: FastifyInstance[] = [await withKeys(next, signingKey()), await withKeys(next)];
  const [rotated, forgotten] = apps;
  for (const door of tokenDoors) {
    const person = await knocking.addHolder();
    const key = await knocking.keyOf(door, person);
    const status = await knocking.knock(door, key, { app: forgotten });
    attack(faults, { id: 'token-061', what: `forgotten at ${door.name}`, status, allowed: [401] });
    expect([401, 403]).not.toContain(await knocking.knock(door, key, { app: rotated, holder: person }));
  }
  for (const app of apps) await app.close();
  expect(faults).toEqual([]);
});

test('a video token opens no picture of another video', async () => {
  const faults: string[] = [];
  const door = doors.find(({ need }) => need === 'account-or-video-token');
  const status = door ? await knocking.knock(door, await holder.videoToken(film), { videoId: other }) : 0;
  attack(faults, { id: 'token-041', what: 'picture of another', status, allowed: statusesOf('token-041') });
  expect(faults).toEqual([]);
});

test('3.3 the account token of a guest shows no field of administrators', async () => {
  const answer = await server.app.inject(`${server.account}/Videos/Search?accessToken=${await server.guestToken()}`);
  expect(answer.statusCode).toBe(200);
  tried.set('token-038', 1);
  const { results } = SearchResponse.parse(answer.json());
  expect(results).not.toEqual([]);
  for (const item of results) expect([item.externalId, item.created, item.streamingPreset]).toEqual([null, undefined, null]);
});

test('every attack of the corpus was tried, and none was accepted', ({ task }) => {
  const attempts = [...tried.values()].reduce((sum, times) => sum + times, 0);
  putReport(task, { check: 'tokens', attempts, accepted });
  expect(corpus.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  expect(accepted).toBe(0);
});

/** Counts an attempt, and writes down an answer that is not among those allowed. */
function attack(faults: string[], { id, what, status, allowed }: { id: string; what: string; status: number; allowed: number[] }) {
  tried.set(id, (tried.get(id) ?? 0) + 1);
  if (status < 400) accepted += 1;
  if (!allowed.includes(status)) faults.push(`${id} ${what}: ${status}`);
}

function statusesOf(id: string): number[] {
  // Never a success for what is forged, whatever else the corpus allows.
  return corpus.find((one) => one.id === id)?.status.filter((status) => status >= 400) ?? [];
}

/** What the corpus calls it when this key is tried at that door; an id of nobody's for what it does not name. */
function idsOfForeignKey(door: Door, key: string): string[] {
  if (key === 'account token' && videoDoors.includes(door)) return ['token-033', 'token-034', 'token-035', 'token-036'];
  if (key === 'account token') return ['token-037'];
  if (key === 'video token') return [door.key === 'user bearer' ? 'token-042' : 'token-040'];
  return ['another class'];
}

function signingKey() {
  const [key] = server.context.secrets.signingKeys;
  if (!key) throw new Error('there is no signing key');
  return key;
}

/** What a forger has seen: a token of this kind that is good. */
function knownFrom(token: string) {
  const read = (at: number) =>
    z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString()));
  const { iss: _iss, iat: _iat, exp: _exp, ...claims } = read(1);
  const typ = String(read(0).typ);
  return { typ, otherTyp: typ === 'video+jwt' ? 'acct+jwt' : 'video+jwt', claims };
}
