import { afterAll, beforeAll, expect, test } from 'vitest';
import { frameOfShot, frameThumbnailIds, makePosterThumbnailId, makeStillThumbnailIds } from '#domain/tokens/thumbnail-ids.ts';
import { noteOtherPictures } from '#domain/videos/desk/poster.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let film: string;

beforeAll(async () => {
  server = await startTestServer({ RUSHES_FRAMES_PER_VIDEO_HOUR: '20', RUSHES_TRUST_PROXY: '127.0.0.1' });
  film = await addFilm(server.context, { durationInSeconds: 1_200 });
});
afterAll(() => server.stop());

test('a guest opens the poster and the stills, as bytes or as Base64, and may keep them', async () => {
  const { secrets } = server.context;
  const poster = await thumbnail(makePosterThumbnailId(secrets, film));
  expect([poster.statusCode, poster.body, poster.headers['content-type']]).toEqual([200, 'poster', 'image/jpeg']);
  expect(poster.headers['cache-control']).toBe('private, max-age=604800, immutable');
  const still = await thumbnail(makeStillThumbnailIds(secrets, film)(30), { query: '&format=Base64' });
  expect([still.statusCode, Buffer.from(still.body, 'base64').toString()]).toEqual([200, 'frame 30']);
  expect((await thumbnail(makePosterThumbnailId(secrets, film), { query: '&format=Gif' })).json().ErrorType).toBe('INVALID_INPUT');
});

test('a still that was drawn anew has another id, and the one of before shows it without being kept', async () => {
  const { secrets, pool } = server.context;
  const another = await addFilm(server.context);
  await noteOtherPictures(pool, another);
  const [before, now] = [makeStillThumbnailIds(secrets, another), makeStillThumbnailIds(secrets, another, 1)];
  const answers = [await thumbnail(before(3), { id: another }), await thumbnail(now(3), { id: another })];
  expect(answers.map(({ body, headers }) => [body, headers['cache-control']])).toEqual([
    ['frame 3', 'private, no-cache'],
    ['frame 3', 'private, max-age=604800, immutable'],
  ]);
});

test('a frame opens for the caller that it was named to, and for nobody else', async () => {
  const id = frameThumbnailIds(server.context.secrets, { videoId: film, caller: 'one' })(5);
  expect((await thumbnail(id, { token: await server.guestToken('one') })).body).toBe('frame 5');
  const other = await thumbnail(id, { token: await server.guestToken('two') });
  expect([other.statusCode, other.json().ErrorType]).toEqual([404, 'NOT_FOUND']);
});

test('whoever may watch the film opens any frame of it by its token', async () => {
  const viewer = await addPerson(server.context, { viewer: true });
  const anyFrame = `${(7).toString(16).padStart(8, '0')}-0000-0000-0000-000000000000`;
  expect((await thumbnail(anyFrame, { token: await viewer.videoToken(film) })).body).toBe('frame 7');
  expect((await thumbnail(anyFrame)).statusCode).toBe(404);
});

test('the still of a shot opens for the caller that it was named to and by the film’s token, and counts as a frame', async () => {
  const { secrets } = server.context;
  const idFor = (caller: string) => frameThumbnailIds(secrets, { videoId: film, caller })(frameOfShot(1_500));
  const named = await thumbnail(idFor('three'), { token: await server.guestToken('three'), from: '198.51.100.1' });
  expect([named.body, named.headers['content-type']]).toEqual(['shot at 1500', 'image/jpeg']);
  expect((await thumbnail(idFor('three'), { token: await server.guestToken('four') })).statusCode).toBe(404);
  const token = await (await addPerson(server.context, { viewer: true })).videoToken(film);
  const byNumber = (atMs: number) => `${frameOfShot(atMs).toString(16).padStart(8, '0')}-0000-0000-0000-000000000000`;
  expect((await thumbnail(byNumber(1_500), { token })).body).toBe('shot at 1500');
  expect((await thumbnail(byNumber(1_501), { token })).statusCode).toBe(404);
  // It is one of the twenty pictures that a guest may open of a film.
  const statuses = [];
  for (let frame = 0; frame < 20; frame++) {
    const id = frameThumbnailIds(secrets, { videoId: film, caller: 'three' })(frame);
    statuses.push((await thumbnail(id, { token: await server.guestToken('three'), from: '198.51.100.1' })).statusCode);
  }
  expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 429]);
});

test('a film that is not published has no thumbnail, told in the same words as one that never was', async () => {
  const raw = await addFilm(server.context, { processed: false });
  const hidden = await thumbnail(makePosterThumbnailId(server.context.secrets, raw), { id: raw });
  const unknown = await thumbnail(makePosterThumbnailId(server.context.secrets, raw), { id: '0123456789' });
  expect([hidden.statusCode, hidden.json().ErrorType]).toEqual([404, 'BREAKDOWN_NOT_FOUND']);
  const told = (body: { Message: string }) => body.Message.replace(/Trace id: .*/, '');
  expect(told(hidden.json())).toBe(told(unknown.json()));
});

test('a guest who asks for one word after another does not put a film together', async () => {
  const { secrets } = server.context;
  const opened = new Set<string>();
  // Many guests of one network, each of whom the search has named every frame to.
  for (let frame = 0; frame < 600; frame++) {
    const caller = `collector-${frame % 10}`;
    const id = frameThumbnailIds(secrets, { videoId: film, caller })(frame);
    const answer = await thumbnail(id, { token: await server.guestToken(caller), from: `203.0.113.${frame % 200}` });
    if (answer.statusCode === 200) opened.add(answer.body);
    else expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
  }
  expect(opened.size).toBe(20);
  const viewer = await addPerson(server.context, { viewer: true });
  const seen = frameThumbnailIds(secrets, { videoId: film, caller: viewer.sid })(599);
  expect((await thumbnail(seen, { token: await viewer.accountToken(), from: '203.0.113.1' })).body).toBe('frame 599');
  const counted = await Promise.all(
    Array.from({ length: 600 }, (_, frame) => thumbnail(`${frame.toString(16).padStart(8, '0')}-0000-0000-0000-000000000000`)),
  );
  expect(counted.filter(({ statusCode }) => statusCode === 200)).toEqual([]);
});

async function thumbnail(thumbnailId: string, options: { id?: string; token?: string; query?: string; from?: string } = {}) {
  const token = options.token ?? (await server.guestToken());
  return await server.app.inject({
    url: `${server.account}/Videos/${options.id ?? film}/Thumbnails/${thumbnailId}?accessToken=${token}${options.query ?? ''}`,
    headers: options.from ? { 'x-forwarded-for': options.from } : {},
  });
}
