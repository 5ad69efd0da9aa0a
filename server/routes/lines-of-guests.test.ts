import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchItem, SearchResponse } from '#contract/video-service/answers.ts';
import { setRoles } from '#domain/users/roles.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

const perHour = 12;
const spoken = 200;
let server: TestServer;
let film: string;

beforeAll(async () => {
  server = await startTestServer({ ...withoutLimits, RUSHES_LINES_PER_VIDEO_HOUR: `${perHour}`, RUSHES_TRUST_PROXY: '127.0.0.1' });
  const lines = Array.from({ length: spoken }, (_, n) => `the keeper lights lamp${n} by the sea`);
  film = await addFilm(server.context, { name: 'Lamps', lines, durationInSeconds: 4 * spoken, people: ['Lamp0 Keeper'] });
  await addFilm(server.context, { name: 'Another', lines: ['no lamp here'] });
  await indexFilms(server.context);
});
afterAll(() => server.stop());

test('a network reads so many different lines of a film within an hour; the others are counted and not shown', async () => {
  const from = '198.51.100.1';
  const read = new Set<string>();
  for (let n = 0; n < spoken; n++) for (const { text } of linesOf(await ask(`id:${film} lamp${n}`, { from }))) read.add(text);
  expect(read.size).toBe(perHour);
  const over = await ask(`id:${film} lamp150`, { from: '198.51.100.77' });
  expect(over).toMatchObject({ searchMatches: [], searchMatchesTotal: 1, searchMatchCounts: { Transcript: 1 }, searchMatchesWithheld: 1 });
  // What was read is read again for nothing, and what is no line stays.
  expect(linesOf(await ask(`id:${film} lamp0`, { from }))).toHaveLength(1);
  expect((await ask(`id:${film} lamp0`, { from })).searchMatches.map(({ type }) => type)).toContain('Face');
});

test('one answer shows a quarter of them, the best ones, and the same ones every time', async () => {
  const from = '203.0.113.1';
  const first = await ask(`id:${film} keeper`, { from });
  expect(linesOf(first)).toHaveLength(perHour / 4);
  expect(first).toMatchObject({ searchMatchesTotal: spoken + 1, searchMatchesWithheld: 100 - first.searchMatches.length });
  expect(linesOf(await ask(`id:${film} keeper`, { from }))).toEqual(linesOf(first));
});

test('a frame is named for each line that is shown, and for no other', async () => {
  const from = '192.0.2.1';
  const item = await ask(`id:${film} sea`, { from });
  expect(item.searchMatches.map(({ thumbnailId }) => thumbnailId !== undefined)).toEqual([true, true, true]);
});

test('the search box takes its lines from the same hour', async () => {
  const from = '192.0.2.77';
  const offered = async (word: string) => {
    const { results } = await get(`/Partner/Breakdowns/Search?query=${word}&perKind=3`, { from });
    return results.flatMap(linesOf).map(({ text }) => text);
  };
  const lines: string[] = [];
  for (let n = 10; n < 60; n++) lines.push(...(await offered(`lamp${n}`)));
  expect(new Set(lines).size).toBeLessThanOrEqual(perHour);
  expect(lines.length).toBeGreaterThan(0);
});

test('the networks of an IPv6 site read as much as four', async () => {
  const read = new Set<string>();
  for (let n = 0; n < 80; n++)
    for (const { text } of linesOf(await ask(`id:${film} lamp${n}`, { from: `2001:db8:7:${n.toString(16)}::1` }))) read.add(text);
  expect(read.size).toBe(4 * perHour);
});

test('whoever may watch reads every line, and only as long as they may', async () => {
  const viewer = await addPerson(server.context, { viewer: true });
  const token = await viewer.accountToken();
  const read = new Set<string>();
  for (let n = 0; n < 50; n++)
    for (const { text } of linesOf(await ask(`id:${film} lamp${n}`, { from: '198.51.100.1', token }))) read.add(text);
  expect(read.size).toBeGreaterThanOrEqual(50);
  await setRoles(server.context.pool, viewer.uid, {});
  expect(linesOf(await ask(`id:${film} lamp150`, { from: '198.51.100.1', token }))).toEqual([]);
});

function linesOf({ searchMatches }: SearchItem): SearchItem['searchMatches'] {
  return searchMatches.filter(({ type }) => type === 'Transcript' || type === 'Ocr');
}

async function ask(query: string, who: { from: string; token?: string }): Promise<SearchItem> {
  const { results } = await get(`${server.account}/Videos/Search?query=${encodeURIComponent(query)}`, who);
  const [item] = results;
  if (!item) throw new Error(`Nothing was found for ${query}.`);
  return item;
}

async function get(url: string, { from, token }: { from: string; token?: string }): Promise<SearchResponse> {
  const authorization = `Bearer ${token ?? (await server.guestToken())}`;
  const answer = await server.app.inject({ url, headers: { authorization, 'x-forwarded-for': from } });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
