import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { sql } from '../../db/sql.ts';
import { packMoments } from '../../moments/packed-moments.ts';
import { toWordCode } from '../../search-index/word-code.ts';
import { surveyOf } from '../list/survey-cache.ts';
import { planSearch } from '../query/plan-search.ts';

const times = (count: number, text: string) => Array.from({ length: count }, () => text);

let archive: SearchableArchive;
beforeAll(async () => {
  archive = await createSearchableArchive({
    harbour: {
      said: [
        'The ferry leaves the harbour.',
        '…',
        'Nobody is on the quay',
        'of the old harbour town.',
        ...times(30, 'Filler.'),
        'A ferry, at last.',
      ],
      people: [{ name: 'Ada Lovelace', at: [3, 4, 170] }, 'Zoë'],
      labels: [{ name: 'ferry boat', at: [1, 2, 3] }, 'harbour'],
      brands: [{ name: 'Ferry & Co', at: [9] }],
    },
    screens: {
      lines: [
        { start: 0, end: 4, text: 'The ferry of Zoë, an İzmir ferry.', speaker: 'Ada Lovelace' },
        { start: 8, end: 9, text: 'And ferries.', speaker: 'ADA LOVELACE' },
      ],
      ocr: [
        { start: 2, end: 3, text: 'FERRY TO THE' },
        { start: 5, end: 7, text: 'OLD HARBOUR TOWN 東京' },
      ],
    },
    wordless: { title: 'Ferry without a word', said: ['♪', '♪♪'] },
    empty: { title: 'An empty harbour' },
    liquid: { said: ['A liquid of velvet.', 'Liquid, and again liquid.'] },
    stars: { said: ['Costarring a velvet glove.'] },
  });
});
afterAll(() => archive.drop());

const queries = [
  ...[
    'ferry ',
    'the ferry',
    '"the old harbour town"',
    'quay of the old',
    'harbour town',
    'ada lovelace',
    'person:ada ',
    'label:ferry',
    'zoe',
  ],
  ...['written:harbour', 'said:ferry', '東京', 'ferry -liquid', '+ferry +harbour', 'izmir', 'boat OR quay', 'ferries', 'nobody of the'],
];
const requestOf = (query: string) => ({ query: [query], skip: 0, pageSize: 12, purpose: 'results' as const });
const cards = async (query: string) => (await archive.search(query)).results;
const surveyed = (query: string) =>
  archive.searching.run(async (search) => await surveyOf(search, requestOf(query), (await planSearch(search, requestOf(query))).plans));

test.each(queries)('what a survey counts for %s is what the cards tell', async (query) => {
  const { videos } = await surveyed(query);
  const told = new Map((await cards(query)).map(({ video, counts }) => [video.id, counts]));
  expect(videos.length).toBeGreaterThan(0);
  expect(new Map(videos.map(({ id, counts }) => [id, counts]))).toEqual(told);
});

test('films that changed a moment ago are matched by their rows as those that the index holds', async () => {
  const indexed = await Promise.all(queries.map(cards));
  archive.searching.forget();
  await archive.database.pool.query('update videos set revision = revision + 1');
  const changed = await Promise.all(queries.map(cards));
  expect(changed.map(foundIn)).toEqual(indexed.map(foundIn));
  await archive.publish({});
  archive.searching.forget();
  expect((await Promise.all(queries.map(cards))).map(foundIn)).toEqual(indexed.map(foundIn));
});

/** What is told of each video, whatever else came with it. */
function foundIn(results: Awaited<ReturnType<typeof cards>>) {
  return results.map(({ video, matches, counts, lacks }) => ({ name: video.name, matches, counts, lacks }));
}

test('a card shows the words of now, not those that the index took in', async () => {
  const { pool } = archive.database;
  const [{ video } = { video: { id: '' } }] = await cards('quay ');
  const { rows } = await pool.query<{ body: string }>(
    sql`select convert_from(body, 'UTF8') as body from moments where video_id = ${video.id}`,
  );
  const { body } = packMoments([
    { kind: 'Transcript', startMs: 4_000, endMs: 5_000, text: 'Somebody is on the quay.', source: 'editor', confidencePercent: 100 },
  ]);
  const write = async (text: string) => {
    await pool.query(sql`update moments set body = convert_to(${text}, 'UTF8') where video_id = ${video.id}`);
    await pool.query(sql`update videos set revision = revision + 1 where id = ${video.id}`);
  };
  await write(body);
  const [card] = await cards('quay ');
  expect(card?.matches.map(({ text, startMs }) => [text, startMs])).toEqual([['Somebody is on the quay.', 4_000]]);
  await write(rows[0]?.body ?? '');
});

test('a line that only holds another word of the same code is neither shown nor counted', async () => {
  expect(toWordCode('costarring')).toBe(toWordCode('liquid'));
  // The ranking takes the one for the other.
  const results = (await cards('costarring velvet ')).toSorted((a, b) => (a.video.name > b.video.name ? -1 : 1));
  const told = results.map(({ video, matches, counts }) => [video.name, matches.map(({ text }) => text), counts]);
  expect(told).toEqual([
    ['stars', ['Costarring a velvet glove.'], { Transcript: 1 }],
    ['liquid', ['A liquid of velvet.'], { Transcript: 1 }],
  ]);
  const marked = results.map(({ matches }) => matches.map(({ text, ranges }) => ranges.map(([from, to]) => text.slice(from, to))));
  expect(marked).toEqual([[['Costarring', 'velvet']], [['velvet']]]);
});
