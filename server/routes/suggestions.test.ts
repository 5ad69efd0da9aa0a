import { afterAll, beforeAll, expect, test } from 'vitest';
import { SearchResponse } from '#contract/video-service/answers.ts';
import { addFilm } from '#testing/add-film.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  token = await server.guestToken();
  for (let n = 0; n < 5; n++) await addFilm(server.context, { name: `Talk ${n}`, lines: ['the gannet dives', 'a gannet again'] });
  await addFilm(server.context, { name: 'Gannets of the north [RU-7]', people: ['Gwen Gannet'], lines: ['nothing'] });
  await addFilm(server.context, { name: 'Cliffs', people: ['Gwen Gannet'] });
  await indexFilms(server.context);
});
afterAll(() => server.stop());

async function suggested(parameters: string): Promise<SearchResponse> {
  const answer = await server.app.inject({ url: `/Partner/Breakdowns/Search?${parameters}&accessToken=${token}` });
  expect(answer.statusCode).toBe(200);
  return SearchResponse.parse(answer.json());
}

test('7.3 search: the search box is answered in the shape of a search, kind by kind, with the true number of a name’s videos', async () => {
  const { results, nextPage } = await suggested('query=gann&perKind=2');
  const matches = results.flatMap(({ searchMatches }) => searchMatches);
  expect(matches.filter(({ type }) => type === 'Title')).toMatchObject([{ text: 'Gannets of the north [RU-7]', exactText: 'Gann' }]);
  expect(matches.filter(({ type }) => type === 'Face')).toMatchObject([{ text: 'Gwen Gannet', exactText: 'Gann', videos: 2 }]);
  expect(matches.filter(({ type }) => type === 'Transcript')).toHaveLength(2);
  expect(results.every((item) => item.searchMatchesTotal === undefined && item.searchMatchCounts === undefined)).toBe(true);
  expect(nextPage.done).toBe(true);
});

test('7.3 without that wish, or with a filter, the older path answers with a page of videos', async () => {
  expect((await suggested('query=gann&pageSize=4')).results).toHaveLength(4);
  const [{ id } = { id: '' }] = (await suggested('query=gannets&perKind=1')).results;
  expect((await suggested(`query=gann&perKind=1&id=${id}`)).results.map((item) => item.id)).toEqual([id]);
  expect((await suggested('query=gann&query=cliff&perKind=1&pageSize=7')).results).toHaveLength(7);
});

test('8.6 how many of a kind is a number from 1 to 8', async () => {
  for (const perKind of ['0', '9', 'x', '-1']) {
    const answer = await server.app.inject({ url: `/Partner/Breakdowns/Search?query=gann&perKind=${perKind}&accessToken=${token}` });
    expect([perKind, answer.statusCode]).toEqual([perKind, 400]);
  }
});

test('our own endpoint, which browsers ask and never keep, offers the names of the search box', async () => {
  const { results } = await suggested('query=gann&perKind=3');
  const names = results.flatMap(({ searchMatches }) => searchMatches).filter(({ type }) => type === 'Title' || type === 'Face');
  const answer = await server.app.inject({ url: '/api/suggestions?query=gann' });
  const [, offered] = answer.json();
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(offered).toEqual(names.map(({ text }) => text.replace(' [RU-7]', '')));
});
