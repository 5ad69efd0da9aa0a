import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverLimits } from '#contract/limits.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import type { SearchRequest } from '../search-request.ts';
import type { Narrowing } from './narrowing.ts';

let archive: SearchableArchive;
beforeAll(async () => {
  archive = await createSearchableArchive({
    spelled: { people: ['walrus', 'Walrus', 'Ada'], labels: ['SHIP', 'ship'], durationSeconds: 60 },
    plain: { people: ['Walrus'], labels: ['ship', 'quay'], durationSeconds: 60 },
    long: { people: ['ada'], labels: ['quay'], durationSeconds: 4_000 },
  });
}, 60_000);
afterAll(() => archive.drop());

const facetsOf = (narrowing: Narrowing = {}, more: Partial<SearchRequest> = {}) =>
  archive.searching.facets({ query: [], skip: 0, pageSize: 12, purpose: 'results', narrowing, ...more });
const counted = (names: readonly { name: string; videos: number }[]) => names.map(({ name, videos }) => `${name} ${videos}`);

test('a name in several spellings is one, and counts a video once that has it twice', async () => {
  const { people, labels, videos } = await facetsOf();
  expect([counted(people), counted(labels), videos]).toEqual([['Ada 2', 'Walrus 2'], ['SHIP 2', 'quay 2'], 3]);
});

test('every group is counted as if it alone were not narrowed', async () => {
  const { people, labels, lengths, videos } = await facetsOf({ labels: ['Ship'], length: 'under-10' });
  expect([counted(people), counted(labels), videos]).toEqual([['Walrus 2', 'Ada 1'], ['SHIP 2', 'quay 1'], 2]);
  expect(lengths.map((each) => each.videos)).toEqual([2, 0, 0]);
});

test('the first thirty names are told, those that are asked for behind them, and nothing that holds no video', async () => {
  const labels = Array.from({ length: 40 }, (_, n) => `label ${n + 10}`);
  await archive.publish({ many: { labels, people: ['Zoe'] } });
  expect(counted((await facetsOf({ people: ['zoe'] })).labels)).toEqual(
    labels.slice(0, serverLimits.facetNamesMax).map((label) => `${label} 1`),
  );
  for (const query of [[], ['many ']]) {
    const asked = await facetsOf({ people: ['zoe'], labels: ['LABEL 47'] }, { query });
    expect(asked.labels.map(({ name }) => name)).toEqual([...labels.slice(0, serverLimits.facetNamesMax), 'label 47']);
  }
  const nothing = await facetsOf({ brands: ['nobody has this'] });
  expect([nothing.videos, nothing.people, nothing.labels, nothing.brands]).toEqual([0, [], [], []]);
});

test('those who ask for the same while it is counted share one count, and the next has what was published since', async () => {
  const [one, other, others] = await Promise.all([facetsOf(), facetsOf({}, { skip: 12, pageSize: 7 }), facetsOf({ length: 'over-60' })]);
  expect([other === one, others === one]).toEqual([true, false]);
  await archive.publish({ later: 'A film.' });
  expect((await facetsOf()).videos).toBe(one.videos + 1);
});

test('what can be played in this archive is counted, and asked for alone, in a list and in an answer', async () => {
  const { pool } = archive.database;
  await pool.query("update videos set streaming_preset = 'SingleBitrate' where external_id in ('plain', 'long')");
  const search = (query: string[], narrowing: Narrowing = {}) => ({ query, skip: 0, pageSize: 12, purpose: 'results' as const, narrowing });
  for (const query of [[], ['walrus OR ada ']]) {
    const all = await archive.searching.facets(search(query));
    expect([all.playable, all.videos > 2]).toEqual([2, true]);
    const some = await archive.searching.facets(search(query, { playable: true, length: 'under-10' }));
    expect([some.playable, some.videos, some.lengths.map(({ videos }) => videos)]).toEqual([1, 1, [1, 0, 1]]);
    const { results } = await archive.searching.answer(search(query, { playable: true }));
    expect(results.map(({ video }) => video.externalId).sort()).toEqual(['long', 'plain']);
  }
});
