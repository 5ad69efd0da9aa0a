import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { sql } from '../../db/sql.ts';
import { Deadline } from '../../scheduling/deadline.ts';
import { totalOf } from '../match/count-matches.ts';
import { planSearch } from '../query/plan-search.ts';
import { rankPlan } from '../rank/rank-plan.ts';
import type { SearchRequest } from '../search-request.ts';
import { surveyOf } from './survey-cache.ts';

let archive: SearchableArchive;
const quails = (from: number, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`quail-${from + n}`, { title: 'Film', durationSeconds: from + n, said: ['A quail runs.'] }]),
  );

beforeAll(async () => {
  archive = await createSearchableArchive({
    talk: {
      said: Array.from({ length: 150 }, (_, n) => `walrus ${n}`),
      people: [{ name: 'Walrus', at: Array.from({ length: 120 }, (_, n) => n) }, 'walrus'],
    },
    ...quails(0, 30),
  });
  // Only footage with a file of its own has a description.
  await archive.database.pool.query(sql`update videos set description = 'About a walrus.' where external_id = 'talk'`);
}, 60_000);
afterAll(() => archive.drop());

const requestOf = (query: string): SearchRequest => ({ query: [query], skip: 0, pageSize: 12, purpose: 'results' });
const surveyed = (query: string) =>
  archive.searching.run(async (search) => await surveyOf(search, requestOf(query), (await planSearch(search, requestOf(query))).plans));

test('3.5 the counts of a film are true also beyond the matches that are shown, and no name counts twice', async () => {
  const [talk] = (await archive.search('walrus ')).results;
  expect(talk?.matches).toHaveLength(100);
  expect(talk?.counts).toEqual({ Transcript: 150, Face: 121, Description: 1 });
  const [shown] = (await archive.search('walrus ', { narrowing: { kinds: ['Title'] } })).results;
  expect([shown?.matches.map(({ kind }) => kind), shown?.counts]).toEqual([['Description'], { Description: 1 }]);
});

test('a large page shows fewer matches of each video, and how many there are', async () => {
  const [talk] = (await archive.search('walrus ', { pageSize: 100 })).results;
  expect(talk?.matches).toHaveLength(25);
  expect(totalOf(talk?.counts ?? {})).toBe(272);
});

test('askers at the same time share one survey, and a later one takes it until the archive changes', async () => {
  const [one, other] = await Promise.all([surveyed('quail '), surveyed('quail ')]);
  expect(other).toBe(one);
  expect(await surveyed('quail ')).toBe(one);
  await archive.publish(quails(30, 1));
  const later = await surveyed('quail ');
  expect([one.videos.length, later.videos.length]).toEqual([30, 31]);
});

test('4.3 a list in another order shows no video twice and misses none while others are published', async () => {
  const before = (await surveyed('quail ')).videos.length;
  const seen: number[] = [];
  let next: { skip: number; done: boolean; createdBefore?: Date } = { skip: 0, done: false };
  for (let page = 0; !next.done; page++) {
    const { skip, createdBefore } = next;
    const answer = await archive.search('quail ', { skip, createdBefore, narrowing: { sort: 'longest' } });
    seen.push(...answer.results.map(({ video }) => video.durationInSeconds));
    next = answer.nextPage;
    await archive.publish(quails(100 + page * 10, 3));
  }
  expect(seen).toEqual(Array.from({ length: before }, (_, n) => before - 1 - n));
});

test('an order among more videos than are looked at says among how many, and so do the counts', async () => {
  await archive.publish(quails(1_000, 1_000));
  const { results, nextPage, arrangedAmong } = await archive.search('quail ', { pageSize: 100, narrowing: { sort: 'newest' } });
  expect([results.length, nextPage.done, nextPage.totalCount, arrangedAmong]).toEqual([100, false, undefined, 1_000]);
  const facets = await archive.searching.facets(requestOf('quail '));
  expect([facets.isAll, facets.videos, facets.kinds]).toEqual([false, 1_000, { Transcript: 1_000 }]);
  const rare = await archive.search('walrus ', { narrowing: { sort: 'newest' } });
  expect([rare.arrangedAmong, rare.nextPage.totalCount]).toEqual([undefined, 1]);
}, 60_000);

test('where some videos are still lacking, as many rows more are asked for as should hold them, and not all that may be', async () => {
  await archive.publish(quails(5_000, 400));
  const limits: number[] = [];
  await archive.searching.run(async (search) => {
    const { plans } = await planSearch(search, requestOf('quail '));
    const [plan] = plans;
    if (!plan) throw new Error('not a query');
    const find: typeof search.index.find = (kind, ...questions) => {
      if (kind === 'passages') limits.push(...questions.map(({ limit }) => limit));
      return search.index.find(kind, ...questions);
    };
    await rankPlan({ ...search.index, find }, plan, { atLeast: 1_250, plans, deadline: new Deadline(60_000) });
  });
  const [further = 0, ...more] = limits.slice(2);
  expect([limits.slice(0, 2), further > 1_250 && further < 2_000, more]).toEqual([[72, 1_200], true, []]);
});

test('words that must or must not be there are looked for in so many videos, and the answer says when there were more', async () => {
  const without = await archive.search('quail -walrus', { pageSize: 100, skip: 950 });
  expect([without.results.length, without.nextPage.done, without.arrangedAmong]).toEqual([50, true, 1_000]);
  const nowhere = await archive.search('+quail +walrus', { pageSize: 100 });
  expect([nowhere.results, nowhere.arrangedAmong]).toEqual([[], 1_000]);
  const early = await archive.search('quail -walrus', { pageSize: 100 });
  expect([early.results.length, early.nextPage.done, early.arrangedAmong]).toEqual([100, false, undefined]);
  const few = await archive.search('walrus -quail', { pageSize: 100 });
  expect([few.results.length, few.arrangedAmong]).toEqual([1, undefined]);
}, 60_000);

test('however long a text is, and however often its words stand there, it takes no longer than so many videos do, and says among how many', async () => {
  const others = Array.from({ length: 29 }, (_, n) => `bird${n}`);
  const long = await archive.search(['quail', ...others].join(' '), { narrowing: { sort: 'newest' } });
  expect(long.arrangedAmong).toBe(266);
  const said = Array.from({ length: 50 }, () => 'Finch, lark, wren.');
  await archive.publish(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`finch-${n}`, { title: 'Film', said }])));
  const often = await archive.search('finch lark wren ', { narrowing: { sort: 'newest' } });
  expect(often.arrangedAmong).toBe(700);
  const facets = await archive.searching.facets(requestOf('finch lark wren '));
  expect([facets.isAll, facets.videos, facets.kinds]).toEqual([false, 700, { Transcript: 35_000 }]);
}, 60_000);
