import { randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { SearchResponse } from '#contract/video-service.ts';
import { endSession } from '#domain/signin/sessions.ts';
import { createSignInLink } from '#domain/signin/sign-in-links.ts';
import { posterThumbnailId } from '#domain/tokens/thumbnail-ids.ts';
import { removeUser } from '#domain/users/remove-user.ts';
import { setRoles } from '#domain/users/set-roles.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { forgedTokens, type KnownClass } from '#testing/forged-tokens.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let film: string;
let other: string;
let viewer: Person;
beforeAll(async () => {
  // The attacks come faster than any visitor: what is tried here is the tokens.
  const many = '9999999';
  server = await startTestServer({
    RUSHES_SEARCHES_PER_MINUTE: many,
    RUSHES_SEARCH_BURST: many,
    RUSHES_THUMBNAIL_BURST: many,
    RUSHES_TOKENS_PER_MINUTE: many,
    RUSHES_TOKEN_BURST: many,
  });
  film = await addFilm(server.context);
  other = await addFilm(server.context);
  viewer = await addPerson(server.context, { viewer: true });
});
afterAll(() => server.stop());

interface Door {
  readonly opensTo: 'account' | 'admin' | 'either' | 'video' | 'user';
  readonly path: (id: string) => string;
  readonly method?: 'POST';
  /** Our own functions and the streams take a token in the Authorization header alone. */
  readonly headerOnly?: true;
}

const videos = () => `${server.account}/Videos`;
const doors: Record<string, Door> = {
  search: { opensTo: 'account', path: () => `${videos()}/Search` },
  suggestions: { opensTo: 'account', path: () => '/Partner/Breakdowns/Search' },
  'list of videos': { opensTo: 'admin', path: () => videos() },
  thumbnail: { opensTo: 'either', path: (id) => `${videos()}/${id}/Thumbnails/${posterThumbnailId(server.context.secrets, id)}` },
  index: { opensTo: 'video', path: (id) => `${videos()}/${id}/Index` },
  captions: { opensTo: 'video', path: (id) => `${videos()}/${id}/Captions` },
  player: { opensTo: 'video', path: (id) => `/embed/player/${server.context.config.videoService.accountId}/${id}/` },
  insights: { opensTo: 'video', path: (id) => `/embed/insights/${server.context.config.videoService.accountId}/${id}/` },
  'media session': { opensTo: 'video', path: (id) => `/media/${id}/session`, method: 'POST', headerOnly: true },
  playlist: { opensTo: 'video', path: (id) => `/media/${id}/hls/master.m3u8`, headerOnly: true },
  segment: { opensTo: 'video', path: (id) => `/media/${id}/hls/v1/segment-00000.m4s`, headerOnly: true },
  'video token': { opensTo: 'user', path: (id) => `/api/GetVideoIndexerVideoAccessTokenV2/${id}`, headerOnly: true },
  avatar: { opensTo: 'user', path: () => `/api/avatars/${'0'.repeat(32)}`, headerOnly: true },
};
const allDoors = Object.keys(doors);
const videoDoors = allDoors.filter((name) => doors[name]?.opensTo === 'video');

const corpus = readCorpus('tokens', z.object({ id: z.string(), name: z.string(), status: z.array(z.number()) }));
const tried = new Set<string>();

test.each(allDoors)('no forged token opens the door to: %s', async (name) => {
  const [key] = server.context.secrets.signingKeys;
  if (!key) throw new Error('no key');
  const door = doorOf(name);
  const attacks = forgedTokens(key, knownClass(door));
  for (const [id, what, token] of attacks) {
    // A header cannot hold NUL: no client can send that one.
    if (door.headerOnly && token.includes('\0')) continue;
    const answer = await knock(door, film, token);
    expect([what, statusesOf(id)]).toEqual([what, expect.arrayContaining([answer.statusCode])]);
    tried.add(id);
  }
});

test.each(allDoors)('other secrets of ours are no tokens at the door to: %s', async (name) => {
  const link = await createSignInLink(server.context.pool, { email: 'viewer@people.example', name: '', network: '' });
  const idToken = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"sub":"u"}').toString('base64url')}.${randomBytes(64).toString('base64url')}`;
  const secrets = {
    'token-043': viewer.cookie.split('=')[1] ?? '',
    'token-044': idToken,
    'token-045': link.token,
    'token-046': randomBytes(16).toString('hex'),
    'token-047': randomBytes(16).toString('hex'),
  };
  for (const [id, token] of Object.entries(secrets)) expectStatus(id, await knock(doorOf(name), film, token));
  const without = await knock(doorOf(name), film, undefined);
  expectStatus('token-001', without);
  const cookie = `accessToken=${await viewer.videoToken(film)}; token=${await viewer.bearer()}`;
  expectStatus('token-050', await knock(doorOf(name), film, undefined, { cookie }));
});

test.each(videoDoors)('what was true when a token was made is asked again at the door to: %s', async (name) => {
  const door = doorOf(name);
  const ends: [string, (person: Person) => Promise<unknown>][] = [
    ['token-030', ({ uid }) => removeUser(server.context.pool, uid)],
    ['token-031', ({ uid }) => setRoles(server.context.pool, uid, {})],
    ['token-032', ({ sid }) => endSession(server.context.pool, sid)],
  ];
  for (const [id, end] of ends) {
    const person = await addPerson(server.context, { viewer: true });
    const token = await person.videoToken(film);
    await end(person);
    expectStatus(id, await knock(door, film, token));
  }
});

test.each(videoDoors)("neither the account's token nor another video's opens the door to: %s", async (name) => {
  const door = doorOf(name);
  const guest = await server.guestToken();
  for (const id of ['token-033', 'token-034', 'token-035', 'token-036']) expectStatus(id, await knock(door, film, guest));
  const token = await viewer.videoToken(film);
  expectStatus('token-039', await knock(door, other, token));
  expectStatus('token-054', await knock(door, `${film}0`, token));
  const upper = film.toUpperCase();
  if (upper !== film) expectStatus('token-053', await knock(door, upper, token));
});

test('a video token opens no search, no poster of another video and nothing of the user', async () => {
  const token = await viewer.videoToken(film);
  for (const name of ['search', 'suggestions', 'list of videos']) expectStatus('token-040', await knock(doorOf(name), film, token));
  expectStatus('token-041', await knock(doorOf('thumbnail'), other, token));
  for (const name of ['video token', 'avatar']) expectStatus('token-042', await knock(doorOf(name), film, token));
  expectStatus('token-037', await knock(doorOf('video token'), film, await server.guestToken()));
});

test('3.3 the account token of a guest shows no field of administrators', async () => {
  const answer = await knock(doorOf('search'), film, await server.guestToken());
  expectStatus('token-038', answer);
  for (const item of SearchResponse.parse(answer.json()).results) {
    expect([item.externalId, item.created, item.streamingPreset]).toEqual([null, undefined, null]);
  }
});

test('two tokens in one request are refused, never the more powerful one taken', async () => {
  const [video, guest] = [await viewer.videoToken(film), await server.guestToken()];
  const url = doorOf('index').path(film);
  const both = await server.app.inject({ url: `${url}?accessToken=${guest}`, headers: { authorization: `Bearer ${video}` } });
  expectStatus('token-048', both);
  expectStatus('token-049', await server.app.inject({ url: `${url}?accessToken=${guest}&accessToken=${video}` }));
});

test('every attack of the corpus was tried; what no request can show stands in the tests of domain/tokens', () => {
  const elsewhere = ['token-060', 'token-061'];
  expect(corpus.map(({ id }) => id).filter((id) => !tried.has(id) && !elsewhere.includes(id))).toEqual([]);
});

function doorOf(name: string): Door {
  const door = doors[name];
  if (!door) throw new Error(`no door ${name}`);
  return door;
}

async function knock(
  door: Door,
  id: string,
  token: string | undefined,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const inHeader = door.headerOnly && token !== undefined;
  const query = !inHeader && token !== undefined ? `?accessToken=${encodeURIComponent(token)}` : '';
  const origin = server.context.config.publicUrl;
  const authorization = inHeader ? { authorization: `Bearer ${token}` } : {};
  return await server.app.inject({
    method: door.method ?? 'GET',
    url: door.path(id) + query,
    headers: { origin, ...headers, ...authorization },
  });
}

/** What a forger has seen: the claims of a token of this kind that is good. */
function knownClass(door: Door): KnownClass {
  const videoClaims = { vid: film, sub: viewer.uid, sid: viewer.sid, av: 2, aud: 'video-service' };
  if (door.opensTo === 'user')
    return { typ: 'user+jwt', otherTyp: 'video+jwt', claims: { sub: viewer.uid, sid: viewer.sid, aud: 'functions' } };
  if (door.opensTo === 'video') return { typ: 'video+jwt', otherTyp: 'acct+jwt', claims: videoClaims };
  const scope = door.opensTo === 'admin' ? 'search thumb adminfields' : 'search thumb';
  return { typ: 'acct+jwt', otherTyp: 'video+jwt', claims: { sub: 'caller', scope, aud: 'video-service' } };
}

function statusesOf(id: string): number[] {
  const entry = corpus.find((one) => one.id === id);
  if (!entry) throw new Error(`${id} is not in the corpus`);
  // Never a success for what is forged, whatever else the corpus allows.
  return entry.status.filter((status) => status >= 400);
}

function expectStatus(id: string, answer: LightMyRequestResponse): void {
  tried.add(id);
  const entry = corpus.find((one) => one.id === id);
  expect([id, entry?.status]).toEqual([id, expect.arrayContaining([answer.statusCode])]);
}
