import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startUnfoundCounter, writeCounts } from '#domain/unfound/unfound-queries.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let editor: Person;

beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  editor = await addPerson(server.context, { editor: true });
  await addFilm(server.context, { name: 'Harbour at dusk', lines: ['The lamplighter comes home'] });
  await indexFilms(server.context);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.context.unfound.write();
  await server.context.unfound.write();
  await server.context.pool.query('delete from unfound_queries');
});

test('a query that finds nothing is counted, whatever its case and blanks, and shown as it was typed last', async () => {
  await search('zeppelin hangar');
  await search('  Zeppelin   HANGAR ');
  expect(await listed()).toEqual([['Zeppelin HANGAR', 2, 0]]);
});

test('a search of whose answer nothing was opened is told from the third time on, and one opening takes one of them off', async () => {
  for (const times of [1, 2, 3, 4]) {
    await search('lamplighter');
    expect(await listed(), `${times} times`).toEqual(times < 3 ? [] : [['lamplighter', 0, times]]);
  }
  await open('Lamplighter');
  expect(await listed()).toEqual([['lamplighter', 0, 3]]);
  await open('Lamplighter');
  expect(await listed()).toEqual([]);
});

test('what found nothing comes before what was not opened, however often that was', async () => {
  for (let n = 0; n < 5; n += 1) await search('lamplighter');
  await search('zeppelin');
  expect(await listed()).toEqual([
    ['zeppelin', 1, 0],
    ['lamplighter', 0, 5],
  ]);
});

test.each(['the', 'to be', 'What is IT?', '“and then”', 'dön’t'])('%s, which is stop words alone, is never counted', async (query) => {
  server.context.unfound.searched(query, false);
  for (let n = 0; n < 3; n += 1) server.context.unfound.searched(query, true);
  server.context.unfound.searched(`${query} zeppelin`, false);
  expect((await listed()).map(([text]) => text)).toEqual([`${query} zeppelin`]);
});

test('where no film is in English, a failed query is told although its word is a stop word of that language', async () => {
  const { context } = server;
  await context.pool.query(`update videos set language = 'de'`);
  context.search.forget();
  await search('will');
  expect(await listed()).toEqual([['will', 1, 0]]);
  await context.pool.query(`update videos set language = 'en'`);
  context.search.forget();
  await search('was');
  expect(await listed()).toEqual([['will', 1, 0]]);
});

test('a query that served everybody leaves no trace', async () => {
  await search('lamplighter');
  await server.context.unfound.write();
  await open('lamplighter');
  await open('lamplighter');
  await listed();
  expect((await server.context.pool.query('select from unfound_queries')).rowCount).toBe(0);
});

test('openings alone add no row, and never count below nothing', async () => {
  await open('somebody made this up');
  expect(await listed()).toEqual([]);
  await search('zeppelin');
  await server.context.unfound.write();
  await open('zeppelin');
  await open('zeppelin');
  await listed();
  await search('zeppelin');
  expect(await listed()).toEqual([['zeppelin', 2, 0]]);
});

test.each([
  ['a further page', 'query=zeppelin&skip=12'],
  ['a page as of an earlier time', 'query=zeppelin&createdBefore=2026-01-01T00:00:00Z'],
  ['a narrowed search', 'query=zeppelin&length=under-10'],
  ['a search in one video', 'query=zeppelin&id=0123456789'],
  ['a search in some kinds', 'query=zeppelin&matchKind=Ocr'],
  ['another order of the same answer', 'query=zeppelin&sort=newest'],
  ['several queries at once', 'query=zeppelin&query=hangar'],
  ['the list of all videos', 'query=%20'],
  ['a query of more than 200 characters', `query=${'z'.repeat(201)}`],
  ["a query with somebody's e-mail address in it", 'query=write+to+zeppelin%40example.org'],
  ['a query that only leaves out', 'query=-zeppelin+-title%3A%22night+flight%22'],
  ['a query without a letter or digit', 'query=%25+((((+%22'],
  ['a field with nothing to look for in it', 'query=person%3A'],
  ['an address in wide letters', 'query=zeppelin%EF%BC%A0example.org'],
])('%s is not counted', async (_what, asked) => {
  expect((await ask(`Search?${asked}`)).statusCode).toBe(200);
  expect(await listed()).toEqual([]);
});

test('suggestions are not counted', async () => {
  await ask('zeppelin', '/Partner/Breakdowns/Search?query=');
  await server.app.inject({ url: '/api/suggestions?query=zeppelin' });
  expect(await listed()).toEqual([]);
});

test('controls and letters that grow do not keep a query, or those beside it, from being counted', async () => {
  for (const query of ['a\u0000b\u202ec zeppelin', '\ufdfa'.repeat(200), 'zeppelin \ud800', 'zeppelin'])
    expect((await ask(`Search?${new URLSearchParams({ query })}`)).statusCode).toBe(200);
  expect((await listed()).map(([text]) => text).toSorted()).toEqual(['a b c zeppelin', 'zeppelin', '\ufdfa'.repeat(200)].toSorted());
});

test('several processes add up, also when one hears of the opening before the other has written the search', async () => {
  const { pool } = server.context;
  const dropped: unknown[] = [];
  const memoryOfOwn = () =>
    startUnfoundCounter(pool, { everyMs: 3_600_000, languages: async () => [], onDropped: (error) => dropped.push(error) });
  const [one, other] = [memoryOfOwn(), memoryOfOwn()];
  for (let n = 0; n < 4; n += 1) one.searched('lamplighter', true);
  other.opened('lamplighter');
  await other.write();
  await one.write();
  await other.write();
  expect(await listed()).toEqual([['lamplighter', 0, 3]]);
  other.searched('lamplighter', true);
  other.opened('hangar');
  // Stopping writes what is in memory.
  await Promise.all([one.stop(), other.stop()]);
  expect(await listed()).toEqual([['lamplighter', 0, 4]]);
  expect(dropped).toEqual([]);
});

test('writers at the same time lose nothing', async () => {
  const counts = Array.from({ length: 20 }, (_, n) => ({
    folded: `q${n}`,
    text: `q${n}`,
    foundNothing: 1,
    openedNothing: 0,
    lastAt: new Date(),
  }));
  await Promise.all(Array.from({ length: 8 }, (_, n) => writeCounts(server.context.pool, n % 2 ? counts : counts.toReversed())));
  expect(new Set((await listed()).map(([, times]) => times))).toEqual(new Set([8]));
});

test('of more queries than are kept, those that failed least and longest ago go', async () => {
  const at = (folded: string, foundNothing: number, day: number) => ({
    folded,
    text: folded,
    foundNothing,
    openedNothing: 0,
    lastAt: new Date(2026, 0, day),
  });
  await writeCounts(server.context.pool, [at('old and often', 5, 1), at('old', 1, 2), at('new', 1, 4), at('newer', 1, 5)], 3);
  expect((await listed()).map(([text]) => text)).toEqual(['old and often', 'newer', 'new']);
});

test('a lost table drops counts and fails no search', async () => {
  const { pool } = server.context;
  await pool.query('alter table unfound_queries rename to away');
  expect((await search('zeppelin')).statusCode).toBe(200);
  await server.context.unfound.write();
  await pool.query('alter table away rename to unfound_queries');
  await search('hangar');
  expect(await listed()).toEqual([['hangar', 1, 0]]);
});

test('more queries than fit in memory go uncounted until the next write', async () => {
  for (let n = 0; n < 1_200; n += 1) server.context.unfound.searched(`made up ${n}`, false);
  await server.context.unfound.write();
  server.context.unfound.searched('after', false);
  await server.context.unfound.write();
  expect((await server.context.pool.query('select from unfound_queries')).rowCount).toBe(1_001);
});

test('what failed most often comes first, then the latest; a dismissed query comes back when it fails again', async () => {
  for (const query of ['once', 'often', 'latest', 'often']) await search(query);
  expect(await listed()).toEqual([
    ['often', 2, 0],
    ['latest', 1, 0],
    ['once', 1, 0],
  ]);
  // The last of them waits in memory still.
  await search('often');
  const answer = await server.app.inject({ method: 'DELETE', url: '/api/unfound', headers: ours(), payload: { text: 'OFTEN' } });
  expect([answer.statusCode, answer.body]).toEqual([204, '']);
  expect((await listed()).map(([text]) => text)).toEqual(['latest', 'once']);
  await search('often');
  expect((await listed()).map(([text]) => text)).toEqual(['often', 'latest', 'once']);
});

test('a page of the list says how many there are in all', async () => {
  for (const query of ['one', 'two', 'three']) await search(query);
  await server.context.unfound.write();
  const page = (await server.app.inject({ url: '/api/unfound?skip=1&pageSize=1', headers: ours() })).json();
  expect([page.queries.length, page.total]).toEqual([1, 3]);
});

test('who tells of openings too often is refused', async () => {
  const strict = await startTestServer({ RUSHES_SEARCH_BURST: '1' });
  const tell = () => strict.app.inject({ method: 'POST', url: '/api/search-opened', payload: { query: 'rain' } });
  expect([(await tell()).statusCode, (await tell()).statusCode]).toEqual([204, 429]);
  await strict.stop();
});

async function search(query: string) {
  return await ask(`Search?${new URLSearchParams({ query })}`);
}

async function ask(path: string, base = `${server.account}/Videos/`) {
  return await server.app.inject({ url: base + path, headers: { authorization: `Bearer ${await server.guestToken()}` } });
}

async function open(query: string): Promise<void> {
  const answer = await server.app.inject({ method: 'POST', url: '/api/search-opened', payload: { query } });
  expect([answer.statusCode, answer.body]).toEqual([204, '']);
}

function ours(): Record<string, string> {
  return { cookie: editor.cookie, host: 'localhost:80', origin: 'http://localhost:80' };
}

/** What an editor sees, after whatever waits in memory was written. */
async function listed(): Promise<[text: string, foundNothing: number, openedNothing: number][]> {
  await server.context.unfound.write();
  await server.context.unfound.write();
  const answer = await server.app.inject({ url: '/api/unfound', headers: ours() });
  const { queries } = answer.json<{ queries: { text: string; foundNothing: number; openedNothing: number }[] }>();
  return queries.map(({ text, foundNothing, openedNothing }) => [text, foundNothing, openedNothing]);
}
