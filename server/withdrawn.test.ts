import { afterAll, beforeAll, expect, test } from 'vitest';
import { frameThumbnailIds, makePosterThumbnailId, makeStillThumbnailIds } from '#domain/tokens/thumbnail-ids.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let viewer: Person;
beforeAll(async () => {
  server = await startTestServer();
  viewer = await addPerson(server.context, { viewer: true });
});
afterAll(() => server.stop());

test.each([
  ['failed', "update videos set state = 'Failed' where id = $1"],
  ['withdrawn', "update videos set state = 'Quarantined' where id = $1"],
  ['in work again', "update videos set state = 'Processing' where id = $1"],
  ['deleted', 'delete from videos where id = $1'],
])('every key to a film that is %s opens nothing any more, at once', async (_, change) => {
  const film = await addFilm(server.context, { name: 'Gannet colony', lines: ['a gannet dives'] });
  await indexFilms(server.context);
  const doors = await doorsOf(film);
  for (const door of doors) expect([door.url, (await server.app.inject(door)).statusCode < 300]).toEqual([door.url, true]);
  expect(await found(film)).toEqual([true, true, true]);
  await server.context.pool.query(change, [film]);
  for (const door of doors) expect([door.url, (await server.app.inject(door)).statusCode]).toEqual([door.url, 404]);
  expect(await found(film)).toEqual([false, false, false]);
});

/** Everything that opens one film, with keys that were good when it was published. */
async function doorsOf(film: string) {
  const { secrets } = server.context;
  const token = await viewer.videoToken(film);
  const [guest, authorization] = [await server.guestToken('guest'), `Bearer ${token}`];
  const service = `${server.account}/Videos/${film}`;
  const player = `/embed/player/trial/${film}/?accessToken=${token}`;
  const cookie = String((await server.app.inject(player)).headers['set-cookie']).split(';')[0];
  const frame = frameThumbnailIds(secrets, { videoId: film, caller: 'guest' })(3);
  const pictures = [makePosterThumbnailId(secrets, film), makeStillThumbnailIds(secrets, film)(2), frame];
  const files = ['hls/master.m3u8', 'hls/v1/segment-00000.m4s', 'frame/3.jpg', 'poster.jpg', 'captions.vtt', 'verdict'];
  return [
    { method: 'GET' as const, url: player },
    { method: 'GET' as const, url: `/embed/insights/trial/${film}/?accessToken=${token}` },
    { method: 'GET' as const, url: `${service}/Index?accessToken=${token}` },
    { method: 'GET' as const, url: `/api/videos/${film}/facts`, headers: { authorization } },
    { method: 'GET' as const, url: `${service}/Captions?accessToken=${token}` },
    { method: 'GET' as const, url: `${service}/Thumbnails/00000003-0000-0000-0000-000000000000?accessToken=${token}` },
    ...pictures.map((id) => ({ method: 'GET' as const, url: `${service}/Thumbnails/${id}?accessToken=${guest}` })),
    ...files.map((name) => ({ method: 'GET' as const, url: `/media/${film}/${name}`, headers: { cookie } })),
    { method: 'POST' as const, url: `/media/${film}/session`, headers: { authorization } },
    {
      method: 'GET' as const,
      url: `/api/GetVideoIndexerVideoAccessTokenV2/${film}`,
      headers: { authorization: `Bearer ${await viewer.bearer()}` },
    },
  ];
}

/** Whether a guest finds the film by its id, by a word, and in the suggestions. */
async function found(film: string): Promise<boolean[]> {
  const search = `${server.account}/Videos/Search`;
  const questions = [`${search}?id=${film}`, `${search}?query=gannet`, '/Partner/Breakdowns/Search?query=ganne'];
  const token = await server.guestToken();
  const answers = await Promise.all(questions.map((url) => server.app.inject(`${url}&accessToken=${token}`)));
  return answers.map((answer) => answer.json().results.some(({ id }: { id: string }) => id === film));
}
