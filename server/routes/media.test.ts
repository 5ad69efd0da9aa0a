import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeFact } from '#domain/db/archive-facts.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { endSession } from '#domain/signin/sessions.ts';
import { setRoles } from '#domain/users/roles.ts';
import { noteOtherPictures } from '#domain/videos/desk/poster.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { followRoughSpeech } from '#domain/videos/rough-speech.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { rawStatus } from '#testing/raw-request.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';

let server: TestServer;
let film: string;
let viewer: Person;

beforeAll(async () => {
  server = await startTestServer();
  film = await addFilm(server.context);
  viewer = await addPerson(server.context, { viewer: true });
});
afterAll(() => server.stop());

test('the player document sets a cookie that opens this film’s files, and only under this film’s path', async () => {
  const { cookie, header } = await openPlayer(viewer);
  expect(header).toMatch(new RegExp(`^__Secure-m=[^;]+; Path=/media/${film}/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$`));
  const playlist = await server.app.inject({ url: `/media/${film}/hls/master.m3u8`, headers: { cookie } });
  expect(playlist.statusCode).toBe(200);
  expect(playlist.headers['content-type']).toBe('application/vnd.apple.mpegurl');
  expect(playlist.headers['cache-control']).toBe('private, no-cache');
  const other = await addFilm(server.context);
  expect((await server.app.inject({ url: `/media/${other}/hls/master.m3u8`, headers: { cookie } })).statusCode).toBe(403);
});

test('a browser that takes no secure cookie over http gets a plain one', async () => {
  const token = await viewer.videoToken(film);
  const safari = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';
  const answer = await server.app.inject({ url: playerAddress(token), headers: { 'user-agent': safari } });
  const header = String(answer.headers['set-cookie']);
  expect(header).toMatch(/^m=/);
  const media = await server.app.inject({
    url: `/media/${film}/poster.jpg`,
    headers: { 'user-agent': safari, cookie: header.split(';')[0] },
  });
  expect(media.statusCode).toBe(200);
});

test('a part of a file is answered with that part, a part past its end with 416', async () => {
  const { cookie } = await openPlayer(viewer);
  const url = `/media/${film}/hls/v1/segment-00000.m4s`;
  const part = await server.app.inject({ url, headers: { cookie, range: 'bytes=2-4' } });
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, 'cde', 'bytes 2-4/10']);
  for (const range of ['bytes=10-', 'bytes=99999999999999999999-']) {
    const past = await server.app.inject({ url, headers: { cookie, range } });
    expect([past.statusCode, past.headers['content-range']]).toEqual([416, 'bytes */10']);
  }
  for (const range of ['bytes=a-b', 'lines=1-2', 'bytes=0-,0-,0-', `bytes=${Array.from({ length: 500 }, () => '0-0').join(',')}`]) {
    expect([200, 206, 416]).toContain((await server.app.inject({ url, headers: { cookie, range } })).statusCode);
  }
  const head = await server.app.inject({ method: 'HEAD', url, headers: { cookie } });
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '10']);
});

test('captions that came with a film go before those that were read from its pictures, and those before what was heard in it', async () => {
  const { store } = server.context;
  const { cookie } = await openPlayer(viewer);
  const { captions, readCaptions, heardCaptions } = toVideoKeys(film);
  const shown = async () => (await server.app.inject({ url: `/media/${film}/captions.vtt`, headers: { cookie } })).body;
  for (const key of [captions, readCaptions, heardCaptions]) await store.put(key, Buffer.from(`WEBVTT ${key}`));
  expect(await shown()).toBe(`WEBVTT ${captions}`);
  await store.remove(captions, 'It is tried.');
  expect(await shown()).toBe(`WEBVTT ${readCaptions}`);
  await store.remove(readCaptions, 'It is tried.');
  expect(await shown()).toBe(`WEBVTT ${heardCaptions}`);
  await store.put(captions, Buffer.from('WEBVTT\n'));
});

test('captions of what was heard hold no line of rough speech once that is hidden, and all of them again once it is shown', async () => {
  const { pool, store } = server.context;
  const { captions, heardCaptions } = toVideoKeys(film);
  const heard = {
    kind: 'Transcript',
    startMs: 1_000,
    endMs: 2_000,
    text: 'wreck a nice beach',
    source: 'machine',
    confidencePercent: 30,
  } as const;
  const layers = [{ name: 'captions', moments: [{ ...heard, isRough: true }] }] as const;
  await publishLayers(pool, film, { madeBy: 'speech', version: 1, layers });
  await store.put(heardCaptions, Buffer.from(`WEBVTT ${heard.text}`));
  await store.remove(captions, 'It is tried.');
  const { cookie } = await openPlayer(viewer);
  const shown = async () => (await server.app.inject({ url: `/media/${film}/captions.vtt`, headers: { cookie } })).body;
  expect(await shown()).toContain(heard.text);
  await writeFact(pool, 'rough_speech', 'hidden');
  await followRoughSpeech(pool, AbortSignal.timeout(10_000));
  expect(await shown()).toBe('WEBVTT\n');
  await publishLayers(pool, film, { madeBy: 'speech', version: 1, layers: [{ name: 'captions', moments: [heard] }] });
  expect(await shown()).toContain(heard.text);
  await writeFact(pool, 'rough_speech', 'shown');
  await publishLayers(pool, film, { madeBy: 'speech', version: 1, layers });
  expect(await shown()).toContain(heard.text);
  await store.put(captions, Buffer.from('WEBVTT\n'));
});

test('only names that ingest gives are files; nothing else on the disk is reached', async () => {
  const { cookie } = await openPlayer(viewer);
  const origin = await server.listen();
  const names = [
    'original',
    'frames.pack',
    'shots.pack',
    'hls',
    'hls/',
    'hls/../original',
    'hls/..%2foriginal',
    'hls%2f..%2foriginal',
    '..%2f..%2f..%2fsecrets.json',
    '%2e%2e/%2e%2e/secrets.json',
    'hls/v1/../../original',
    'hls/.hidden.m4s',
    'hls/a/b/c.m4s',
    'hls/master.m3u8%00',
    'frame/999999.jpg',
    'frame/-1.jpg',
  ];
  for (const name of names) expect([name, await rawStatus(origin, `/media/${film}/${name}`, { cookie })]).toEqual([name, 404]);
});

test('every second frame of the film is there for the viewer', async () => {
  const { cookie } = await openPlayer(viewer);
  const answer = await server.app.inject({ url: `/media/${film}/frame/7.jpg`, headers: { cookie } });
  expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([200, 'frame 7', 'image/jpeg']);
  // Drawn anew, it keeps its name.
  const asked = { url: `/media/${film}/frame/7.jpg`, headers: { cookie, 'if-none-match': String(answer.headers.etag) } };
  expect([answer.headers['cache-control'], (await server.app.inject(asked)).statusCode]).toEqual(['private, no-cache', 304]);
  await noteOtherPictures(server.context.pool, film);
  expect((await server.app.inject(asked)).statusCode).toBe(200);
});

test('taking the role away ends the stream within ten seconds, signing out too', { timeout: 60_000 }, async () => {
  for (const [takeAway, status] of [
    [(person: Person) => setRoles(server.context.pool, person.uid, {}), 403],
    [(person: Person) => endSession(server.context.pool, person.sid), 401],
  ] as const) {
    const person = await addPerson(server.context, { viewer: true });
    const { cookie } = await openPlayer(person);
    const ask = async () => (await server.app.inject({ url: `/media/${film}/hls/master.m3u8`, headers: { cookie } })).statusCode;
    expect(await ask()).toBe(200);
    await takeAway(person);
    await until(async () => (await ask()) !== 200, { withinMs: 10_000 });
    expect(await ask()).toBe(status);
  }
});

test('a fresh token renews the cookie without opening the player again', async () => {
  const url = `/media/${film}/session`;
  const token = await viewer.videoToken(film);
  const headers = { authorization: `Bearer ${token}`, origin: 'http://localhost:80', host: 'localhost:80' };
  const renewed = await server.app.inject({ method: 'POST', url, headers });
  expect(renewed.statusCode).toBe(204);
  expect(String(renewed.headers['set-cookie'])).toMatch(/^__Secure-m=/);
  expect((await server.app.inject({ method: 'POST', url: `${url}?accessToken=${token}` })).statusCode).toBe(401);
});

test('opening the player counts a view, once per session in six hours', async () => {
  const watched = await addFilm(server.context);
  const views = async () => (await server.context.pool.query('select views from videos where id = $1', [watched])).rows[0].views;
  for (const person of [viewer, viewer, await addPerson(server.context, { editor: true })]) {
    await server.app.inject({ url: playerAddress(await person.videoToken(watched), watched) });
  }
  expect(await views()).toBe(2);
  await server.context.pool.query(`update recent_views set viewed_at = now() - interval '7 hours'`);
  await server.app.inject({ url: playerAddress(await viewer.videoToken(watched), watched) });
  expect(await views()).toBe(3);
});

test('the player opens for nobody whose session has ended', async () => {
  const person = await addPerson(server.context, { viewer: true });
  await endSession(server.context.pool, person.sid);
  expect((await server.app.inject({ url: playerAddress(await person.videoToken(film)) })).statusCode).toBe(401);
});

function playerAddress(token: string, id = film): string {
  return `/embed/player/${server.context.config.videoService.accountId}/${id}/?accessToken=${token}`;
}

async function openPlayer(person: Person): Promise<{ cookie: string; header: string }> {
  const answer = await server.app.inject({ url: playerAddress(await person.videoToken(film)) });
  expect(answer.statusCode).toBe(200);
  const header = String(answer.headers['set-cookie']);
  return { cookie: header.split(';')[0] ?? '', header };
}
