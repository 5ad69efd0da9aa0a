import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { SearchFacets } from '#contract/search-facets.ts';
import { SearchResponse } from '#contract/video-service/answers.ts';
import { sql } from '#domain/db/sql.ts';
import { addFilm } from '#testing/add-film.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

const QueryEntry = z.object({
  id: z.string(),
  enc: z.string().optional(),
  repeat: z.object({ unit: z.string(), times: z.number() }).optional(),
  status: z.array(z.number()),
});
const ParameterEntry = z.object({ id: z.string(), cls: z.string(), rawQuery: z.string().optional() });
const queries = readCorpus('search-queries', QueryEntry);
const parameters = readCorpus('params', ParameterEntry);

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  token = await server.guestToken();
  await addFilm(server.context, { name: 'A day at sea', lines: ['a beach at last'], owner: 'Nordlys' });
  for (let n = 0; n < 29; n++) await addFilm(server.context, { name: `Beach number ${n}`, lines: ['a beach again'] });
  await addFilm(server.context, { name: 'Half made beach', lines: ['beach'], processed: false });
  await indexFilms(server.context);
});
afterAll(() => server.stop());

test.each(queries)('what the query $id comes to is answered, never with a fault of ours', async (entry) => {
  const encoded = entry.enc ?? encodeURIComponent((entry.repeat?.unit ?? '').repeat(entry.repeat?.times ?? 0));
  const origin = await server.listen();
  const answer = await fetch(`${origin}${server.account}/Videos/Search/Facets?query=${encoded}&accessToken=${token}`);
  expect(entry.status).toContain(answer.status);
  if (answer.status === 200) expect(SearchFacets.parse(await answer.json()).isAll).toBe(true);
});

test.each(parameters.filter(({ cls }) => cls === 'pollution' || cls === 'widening'))(
  'the query string $id does no harm to what is counted',
  async (entry) => {
    const answer = await askFacets(entry.rawQuery ?? '');
    expect([400, 200]).toContain(answer.statusCode);
    if (entry.cls === 'widening' && answer.statusCode === 200) expect(SearchFacets.parse(answer.json()).videos).toBeLessThanOrEqual(30);
  },
);

test.each([
  'sort=size',
  'sort=',
  'textScope=Nonsense',
  'matchKind=Description',
  'matchKind=Ocr&matchKind=x',
  'length=short',
  'length=10-60&length=over-60',
])('a narrowing by %s is refused, in the list as in its counts', async (query) => {
  for (const answer of [await ask(`query=beach&${query}`), await askFacets(`query=beach&${query}`)])
    expect([answer.statusCode, answer.json().ErrorType]).toEqual([400, 'INVALID_INPUT']);
});

test('a narrowed answer is what its counts said, and tells how many matches of each kind a video has', async () => {
  const facets = SearchFacets.parse((await askFacets('query=beach')).json());
  expect(facets).toMatchObject({ isAll: true, videos: 30, lengths: [{ length: 'under-10', videos: 30 }, {}, {}] });
  const inTitles = SearchResponse.parse((await ask('query=beach&matchKind=Title&sort=moments&pageSize=100')).json());
  expect(inTitles.results.flatMap(({ searchMatches }) => searchMatches).map(({ type }) => type)).toEqual(Array(29).fill('Title'));
  expect([inTitles.nextPage.totalCount, facets.kinds.Title]).toEqual([29, 29]);
  const [first] = SearchResponse.parse((await ask('query=beach')).json()).results;
  expect(first?.searchMatchCounts).toEqual({ Title: 1, Transcript: 1 });
  const none = SearchResponse.parse((await ask('query=beach&length=over-60&person=Nobody')).json());
  expect([none.results, none.nextPage.totalCount]).toEqual([[], 0]);
});

test('a scope finds the films that hold the query there, with those matches alone, and an empty one leaves nothing out', async () => {
  const total = async (asked: string) => SearchResponse.parse((await ask(`query=beach&pageSize=100&${asked}`)).json()).nextPage.totalCount;
  const inTitles = SearchResponse.parse((await ask('query=beach&pageSize=100&textScope=metadata')).json());
  expect(inTitles.results.flatMap(({ searchMatches }) => searchMatches).map(({ type }) => type)).toEqual(Array(29).fill('Title'));
  const counts = ['textScope=Transcript', 'textScope=Brands', 'textScope=NamedLocations', 'textScope=Brands&textScope=TRANSCRIPT'];
  expect([inTitles.nextPage.totalCount, ...(await Promise.all(counts.map(total)))]).toEqual([29, 30, 0, 0, 30]);
  expect(await total('textScope=Transcript&matchKind=Title')).toBe(0);
  expect(await total('textScope=')).toBe(30);
  expect(SearchFacets.parse((await askFacets('query=beach&textScope=Metadata')).json())).toMatchObject({
    videos: 29,
    kinds: { Title: 29 },
  });
});

test('a result says when it was recorded, as far as that is known', async () => {
  await server.context.pool.query(sql`update videos set recorded_at = '1968-12' where name = 'A day at sea'`);
  const { results } = SearchResponse.parse((await ask('query=beach&pageSize=100')).json());
  const dated = results.filter((item) => 'recorded' in item).map(({ name, recorded }) => [name, recorded]);
  expect(dated).toEqual([['A day at sea', '1968-12']]);
});

test('blank names narrow nothing, with a query and without', async () => {
  for (const query of ['', 'beach']) {
    const plain = SearchResponse.parse((await ask(`query=${query}`)).json());
    const narrowed = SearchResponse.parse((await ask(`query=${query}&person=%20&label=&sort=best`)).json());
    expect(narrowed.results).toEqual(plain.results);
  }
});

function ask(query: string) {
  return server.app.inject({ url: `${server.account}/Videos/Search?${query}`, headers: { authorization: `Bearer ${token}` } });
}

function askFacets(query: string) {
  return server.app.inject({ url: `${server.account}/Videos/Search/Facets?${query}`, headers: { authorization: `Bearer ${token}` } });
}
