import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MatchKind, matchKindOf } from '#contract/match-kinds.ts';
import { lengthOf, type SearchOrder, searchOrders } from '#contract/narrowing.ts';
import type { SearchFacets } from '#contract/search-facets.ts';
import { createSearchableArchive, type SearchableArchive, type TestFilm } from '#testing/searchable-archive.ts';
import { totalOf } from '../match/count-matches.ts';
import type { FoundVideo, SearchRequest } from '../search-request.ts';
import type { Narrowing } from './narrowing.ts';

const people = ['Ada Lovelace', 'Grace Hopper', 'Émile Zola'];
const labels = ['ship', 'quay', 'night'];
const brands = ['Nordlys', 'Umbrella'];

/** Films that differ in everything that an answer is narrowed by, each from its number alone. */
function film(n: number): TestFilm {
  const words = ['heron', 'gull', 'tern'].filter((_, k) => n % (k + 2) !== 1);
  const lines = Array.from({ length: 1 + (n % 5) }, (_, k) => ({
    start: k * 5,
    end: k * 5 + 5,
    text: `A ${words[k % words.length] ?? 'crow'} flies ${k}.`,
    ...(n % 4 === 0 ? { speaker: people[(n + k) % 2] } : {}),
  }));
  return {
    title: n % 6 === 0 ? `The heron of ${n}` : `Film ${n}`,
    durationSeconds: [300, 599.6, 600, 3_600, 3_601, 8_000][n % 6],
    lines,
    ocr: n % 3 === 0 ? [{ start: 1, end: 2, text: 'HERON HOUSE' }] : [],
    people: n % 5 === 0 ? [{ name: people[n % 3], at: [2, 9] }] : n % 7 === 0 ? [people[2]] : [],
    labels: n % 2 === 0 ? [labels[n % 3], { name: 'heron', at: [1] }] : [],
    brands: n % 4 === 1 ? [{ name: brands[n % 2], at: [3] }, 'heron'] : [],
  };
}

const films = (from: number, to: number) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`film-${from + n}`, film(from + n)]));
const queries = ['heron ', 'heron gull ', '"heron flies"', 'heron -tern', '+gull +heron', 'person:lovelace ', 'written:heron ', 'crow '];
/** What the rarest of these finds. */
const fewest = 5;

let archive: SearchableArchive;

beforeAll(async () => {
  archive = await createSearchableArchive();
  for (let from = 0; from < 60; from += 12) await archive.publish(films(from, from + 12));
}, 60_000);
afterAll(() => archive.drop());

const facetsOf = (query: string, options: Partial<SearchRequest> = {}): Promise<SearchFacets> =>
  archive.searching.facets({ query: [query], skip: 0, pageSize: 12, purpose: 'results', ...options });

/** Every page of a search, one after the other. */
async function everyPage(query: string, options: Partial<SearchRequest> = {}): Promise<FoundVideo[]> {
  const found: FoundVideo[] = [];
  let next: { skip: number; done: boolean; createdBefore?: Date; totalCount?: number } = { skip: 0, done: false };
  while (!next.done) {
    const answer = await archive.search(query, { pageSize: 7, ...options, skip: next.skip, createdBefore: next.createdBefore });
    found.push(...answer.results);
    next = answer.nextPage;
  }
  if (next.totalCount !== undefined) expect(found.length).toBe(next.totalCount);
  return found;
}
const idsOf = (found: readonly FoundVideo[]) => found.map(({ video }) => video.id);

test.each(queries)('the counts of %s are those of its matches, kind by kind', async (query) => {
  const whole = await everyPage(query);
  expect(whole.length).toBeGreaterThanOrEqual(fewest);
  for (const { matches, counts } of whole) {
    expect(counts).toEqual(Object.fromEntries([...Map.groupBy(matches, ({ kind }) => kind)].map(([kind, of]) => [kind, of.length])));
    expect(totalOf(counts)).toBe(matches.length);
  }
});

test.each(['', ...queries])('every order and filter of "%s" gives each video once, and no other than the search itself', async (query) => {
  const whole = await everyPage(query);
  expect(whole.length).toBeGreaterThanOrEqual(fewest);
  const measures: Record<SearchOrder, (found: FoundVideo) => number> = {
    best: () => 0,
    newest: ({ video }) => video.createdAt.getTime(),
    longest: ({ video }) => video.durationInSeconds,
    moments: ({ counts }) => totalOf(counts),
  };
  for (const sort of searchOrders) {
    for (const narrowing of [
      {},
      { kinds: ['Transcript'] },
      { length: '10-60' },
      { people: ['ada lovelace', ' GRACE hopper '] },
    ] as Narrowing[]) {
      const found = await everyPage(query, { narrowing: { ...narrowing, sort } });
      const ids = idsOf(found);
      expect(new Set(ids).size).toBe(ids.length);
      if (Object.keys(narrowing).length === 0) expect(ids.toSorted()).toEqual(idsOf(whole).toSorted());
      // What is equal stays in the order of the search.
      const rank = new Map(idsOf(whole).map((id, n) => [id, n]));
      const inOrder = found.toSorted(
        (a, b) => measures[sort](b) - measures[sort](a) || (rank.get(a.video.id) ?? 0) - (rank.get(b.video.id) ?? 0),
      );
      expect(ids).toEqual(idsOf(inOrder));
    }
  }
});

test.each(['', ...queries])('choosing a count of "%s" comes to exactly what it said', async (query) => {
  const chosen: Narrowing[] = [{}, { length: '10-60' }, { labels: ['SHIP'] }, { people: ['Ada Lovelace'], kinds: ['Transcript'] }];
  for (const narrowing of chosen) {
    const facets = await facetsOf(query, { narrowing });
    const narrowed = async (more: Narrowing) => await everyPage(query, { narrowing: { ...narrowing, ...more } });
    expect(facets.isAll).toBe(true);
    expect(facets.videos).toBe((await narrowed({})).length);
    for (const { length, videos } of facets.lengths) {
      const found = await narrowed({ length });
      expect([length, found.length]).toEqual([length, videos]);
      for (const { video } of found) expect(lengthOf(Math.round(video.durationInSeconds))).toBe(length);
    }
    for (const group of ['people', 'labels', 'brands'] as const) {
      for (const { name, videos } of facets[group]) expect([name, (await narrowed({ [group]: [name] })).length]).toEqual([name, videos]);
    }
    for (const [kind, moments] of Object.entries(facets.kinds)) {
      const found = await narrowed({ kinds: [kind as MatchKind] });
      expect([kind, found.reduce((sum, { counts }) => sum + totalOf(counts), 0)]).toEqual([kind, moments]);
      for (const { matches } of found) expect(matches.map((match) => matchKindOf(match.kind))).toEqual(matches.map(() => kind));
    }
  }
});
