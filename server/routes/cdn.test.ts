import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#domain/db/database.ts';
import { startStep } from '#domain/videos/record-step.ts';
import { readConfig } from '#server/config.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { type StandInCdn, startStandInCdn } from '#testing/stand-in-cdn.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let folder: string;
let cdn: StandInCdn;
let server: TestServer;
let film: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-cdn-'));
  cdn = await startStandInCdn(join(folder, 'key.pem'));
  server = await startTestServer(cdn.settings);
  cdn.standBefore(await server.listen());
  film = await addFilm(server.context);
});
afterAll(async () => {
  await server.stop();
  await cdn.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('who opens a film has its segments from the network, which keeps them, and nobody else has them from there', async () => {
  const [first, second] = [await watching(), await watching()];
  const { fetched } = cdn.counts;
  const path = await segmentOf(first);
  expect([await ask(first, path), await ask(second, path), await ask(second, path)]).toEqual([200, 200, 200]);
  expect(cdn.counts.fetched - fetched).toBe(1);
  expect(await ask({ cookies: '' }, path)).toBe(403);
  const other = await addFilm(server.context);
  expect(await ask(first, path.replace(film, other))).toBe(403);
  // What is no segment is the archive's to answer.
  expect(await ask({ cookies: '' }, `/media/${film}/captions.vtt`)).toBe(401);
});

test('the network lets nobody in for longer than ten seconds, and who may not watch any more is renewed no further', async () => {
  const viewer = await watching();
  const path = await segmentOf(viewer);
  // The cookie tells whole seconds.
  cdn.turnClock(8);
  expect(await ask(viewer, path)).toBe(200);
  cdn.turnClock(2);
  expect(await ask(viewer, path)).toBe(403);
  cdn.turnClock(-10);
  expect(await ask(await renewed(viewer), path)).toBe(200);
  // The role goes away unheard of: the server remembers for some seconds who may watch.
  await inTransaction(server.context.pool, async (db) => {
    await db.query('alter table users disable trigger user');
    await db.query("update users set roles = '{}', auth_version = auth_version + 1 where id = $1", [viewer.person.uid]);
    await db.query('alter table users enable trigger user');
  });
  expect(await ask(viewer, `/media/${film}/hls/master.m3u8`)).toBe(200);
  await expect(renewed(viewer)).rejects.toThrow(/40[13]/);
});

test('segments that are made anew have another address, so that nobody mixes them with the former ones', async () => {
  const viewer = await watching();
  const before = await segmentOf(viewer);
  expect(await segmentOf(viewer)).toBe(before);
  await startStep(server.context.pool, film, 'renditions');
  const after = await segmentOf(viewer);
  expect([after === before, after.split('?')[0] === before.split('?')[0]]).toEqual([false, true]);
  expect(await ask(viewer, after)).toBe(200);
});

test('a playlist that a browser has already is sent once more only when it says something else', async () => {
  const viewer = await watching();
  const headers = { cookie: viewer.cookies };
  const address = `${cdn.origin}/media/${film}/hls/v1/index.m3u8`;
  const tag = (await fetch(address, { headers })).headers.get('etag') ?? '';
  expect((await fetch(address, { headers: { ...headers, 'if-none-match': tag } })).status).toBe(304);
  await startStep(server.context.pool, film, 'renditions');
  expect((await fetch(address, { headers: { ...headers, 'if-none-match': tag } })).status).toBe(200);
});

test('a start with half a key, or with something else in its place, says so', () => {
  const other = join(folder, 'other.pem');
  writeFileSync(other, 'no key');
  const start = (env: Record<string, string>) => () => readConfig(env);
  const RUSHES_CDN_KEY_PAIR = 'K2JCJMDEHXQW5F';
  expect(start({ RUSHES_PUBLIC_URL: cdn.origin, RUSHES_CDN_KEY_PAIR })).toThrow(/belong together/);
  expect(start({ RUSHES_PUBLIC_URL: cdn.origin, RUSHES_CDN_KEY_PAIR, RUSHES_CDN_KEY_FILE: other })).toThrow(/private half of an RSA key/);
  expect(start({ RUSHES_CDN_KEY_PAIR, RUSHES_CDN_KEY_FILE: join(folder, 'key.pem') })).toThrow(/set RUSHES_PUBLIC_URL/);
});

interface Watching {
  readonly person: Person;
  readonly cookies: string;
}

/** Somebody whose browser has opened the player through the network. */
async function watching(): Promise<Watching> {
  const person = await addPerson(server.context, { viewer: true });
  const token = await person.videoToken(film);
  const { accountId } = server.context.config.videoService;
  const answer = await fetch(`${cdn.origin}/embed/player/${accountId}/${film}/?accessToken=${token}`);
  expect(answer.status).toBe(200);
  return { person, cookies: cookiesOf(answer) };
}

/** As the player does it every four seconds. Throws the status of a refusal. */
async function renewed({ person, cookies }: Watching): Promise<Watching> {
  const headers = { cookie: cookies, 'content-type': 'application/json', origin: cdn.origin };
  const answer = await fetch(`${cdn.origin}/media/${film}/cdn-cookie`, { method: 'POST', headers, body: '{}' });
  if (answer.status !== 204) throw new Error(String(answer.status));
  return { person, cookies: `${cookies}; ${cookiesOf(answer)}` };
}

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}

/** Where the playlist says that the first segment lies. */
async function segmentOf(viewer: Watching): Promise<string> {
  const folderOfStream = `/media/${film}/hls/v1/`;
  const answer = await fetch(`${cdn.origin}${folderOfStream}index.m3u8`, { headers: { cookie: viewer.cookies } });
  const name = (await answer.text()).split('\n').find((line) => line.includes('.m4s')) ?? '';
  return folderOfStream + name;
}

async function ask({ cookies }: Pick<Watching, 'cookies'>, path: string): Promise<number> {
  const answer = await fetch(cdn.origin + path, { headers: { cookie: cookies } });
  await answer.arrayBuffer();
  return answer.status;
}
