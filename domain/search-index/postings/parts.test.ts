import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPlainly, findRunPlainly, type MadeFilm, madeFilmId, writeMadeFilms } from '#testing/made-rows.ts';
import { seededRandom } from '#testing/seeded-random.ts';
import { FoundPhrases } from '../index-question.ts';
import type { StoredRow } from '../index-row.ts';
import { RowWordsReader } from '../read-row-words.ts';
import { ChunkCache } from './chunk-cache.ts';
import { Parts } from './parts.ts';
import { writePart } from './write-part.ts';

/** Long rows among short ones, so that words stand far apart, and often, in some of them. */
const lengthen = (n: number) => (n % 97 === 0 ? 40 : 1);
/** More rows than are looked at together, and blocks of more rows than one. */
const filmCount = 9_000;
const numbers = Array.from({ length: filmCount }, (_, n) => n);

let folder: string;
let films: MadeFilm[];
let words: RowWordsReader;
let whole: Parts;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-parts-'));
  films = await writeMadeFilms(folder, numbers, { lengthen });
  words = new RowWordsReader(join(folder, 'row-words.bin'));
  await write(0, films);
  whole = open([0]);
}, 60_000);
afterAll(() => {
  whole.close();
  words.close();
  rmSync(folder, { recursive: true });
});

const pathOf = (number: number) => join(folder, `part-${number}.bin`);
const open = (parts: number[], before?: Parts) => new Parts(parts, pathOf, { cache: new ChunkCache(200_000), before });
const passagesOf = (some: readonly MadeFilm[]) => some.flatMap(({ passages }) => passages);
const nothing = { words: [], others: [], phrases: [], limit: 50 };

async function write(
  number: number,
  some: readonly MadeFilm[],
  { gone = [], ...options }: { gone?: readonly string[]; wordsAtOnce?: number } = {},
) {
  const kept = some.map(({ id, head }) => ({ id, head: head.offset, createdMs: head.createdMs, publishedMs: head.publishedMs }));
  const left = gone.map((id) => ({ id, head: undefined, createdMs: 0, publishedMs: 0 }));
  const passages = Float64Array.from(passagesOf(some), ({ offset }) => offset).sort();
  await writePart(pathOf(number), { films: [...kept, ...left], passages }, { words, ...options });
}

/** The best of what was found plainly. */
function bestOf(found: ReadonlyMap<number, number>, limit: number): number[] {
  return [...found.values()].sort((a, b) => b - a).slice(0, limit);
}

/** That the rows found are the best ones: each has the score that it should, and no other has a better one. */
function expectBest(ours: readonly { offset: number; score: number }[], plainly: ReadonlyMap<number, number>, limit: number) {
  expect(ours.map(({ score }) => score)).toEqual(bestOf(plainly, limit).map((score) => expect.closeTo(score, 9)));
  for (const { offset, score } of ours) expect(plainly.get(offset)).toBeCloseTo(score, 9);
}

const random = seededRandom(31);
const someWords = () => Array.from({ length: 1 + random.below(5) }, () => `word${Math.floor(random.next() ** 1.5 * 60)}`);
const asked = [['word0'], ['word59'], ['word0', 'word1', 'word2', 'word3'], ...Array.from({ length: 12 }, someWords)];

test.each(asked)('the rows that hold words best are found, as by looking at all of them: %s %s %s %s %s', async (...some) => {
  const rows = passagesOf(films);
  const [words, others] = [some.slice(0, 2), some.slice(2)];
  for (const limit of [5, 300])
    expectBest(await whole.find('passages', { ...nothing, words, others, limit }), findPlainly(rows, some), limit);
});

test('heads are found by their own words', async () => {
  const heads = films.map(({ head }) => head);
  expectBest(await whole.find('heads', { ...nothing, words: ['word7'] }), findPlainly(heads, ['word7']), 50);
});

test.each([
  ['word0', 'word0'],
  ['word0', 'word1'],
  ['word1', 'word0', 'word2'],
  ['word0', 'word1', 'word0'],
  ['word30', 'word3'],
  ['word2', 'word59'],
  ['word0', 'nowhere'],
])('every row is found in which words stand one after the other, and no other: %s %s %s', async (...some) => {
  const phrase = some.filter((word) => word !== undefined);
  const found = await whole.find('passages', { ...nothing, phrases: [phrase], limit: 100_000 });
  expect(found.map(({ offset }) => offset).sort((a, b) => a - b)).toEqual(findRunPlainly(passagesOf(films), phrase));
  const few = await whole.find('passages', { ...nothing, phrases: [phrase], limit: 20 });
  expect(few).toEqual(found.slice(0, 20));
});

test('a phrase of which all rows are known is not looked for again, and one of which some are known is', async () => {
  const parts = open([0]);
  const found = new FoundPhrases();
  const asked = { ...nothing, phrases: [['word30', 'word3']], found };
  const some = await parts.find('passages', { ...asked, limit: 1 });
  const all = await parts.find('passages', { ...asked, limit: 100_000 });
  expect(all.length).toBeGreaterThan(1);
  expect(some).toEqual(all.slice(0, 1));
  parts.close();
  expect(await parts.find('passages', { ...asked, limit: 100_000 })).toEqual(all);
  await expect(parts.find('passages', { ...asked, found: new FoundPhrases(), limit: 1 })).rejects.toThrow('closed');
  await expect(parts.find('heads', { ...asked, limit: 1 })).rejects.toThrow('closed');
  // Another file of the same words may have other rows.
  expect(found.of(whole, 'passages', ['word30', 'word3'])).toBeUndefined();
});

const ids = [3, 15, 4_000, 8_999, 20_000].map(madeFilmId);
test.each([
  ['some films', { ids }, ({ video }: StoredRow) => ids.includes(video)],
  ['no film', { ids: [] }, () => false],
  ['films from a time on', { createdAfter: new Date(8_990_000) }, ({ createdMs }: StoredRow) => createdMs >= 8_990_000],
  ['films that could be seen by a time', { createdBefore: new Date(9_400) }, ({ publishedMs }: StoredRow) => publishedMs <= 9_400],
  ['films that were there by a time', { createdUntil: new Date(9_400) }, ({ createdMs }: StoredRow) => createdMs <= 9_400],
])('a condition leaves the rows that meet it: %s', async (_, only, isAllowed) => {
  const found = await whole.find('passages', { ...nothing, words: ['word1', 'word9'], only });
  expectBest(found, findPlainly(passagesOf(films), ['word1', 'word9'], isAllowed), 50);
  const byPhrase = await whole.find('passages', { ...nothing, phrases: [['word0', 'word1']], only, limit: 100_000 });
  const wanted = findRunPlainly(passagesOf(films).filter(isAllowed), ['word0', 'word1']);
  expect(byPhrase.map(({ offset }) => offset).sort((a, b) => a - b)).toEqual(wanted);
});

test('what a later part says of a film counts, whether it has rows there or has left; its older rows count for how rare a word is', async () => {
  const [older, newer] = [films.slice(0, 60), films.slice(60, 100)];
  const replaced = newer.slice(0, 10).map((film, n) => ({ ...film, id: madeFilmId(n) }));
  const gone = [20, 21, 22].map(madeFilmId);
  await write(1, older);
  await write(2, [...replaced, ...newer.slice(10)], { gone });
  const parts = open([1, 2]);
  const isAllowed = ({ video, offset }: StoredRow) =>
    !gone.includes(video) && (Number.parseInt(video, 16) >= 10 || offset > (older.at(-1)?.head.offset ?? 0));
  const found = await parts.find('passages', { ...nothing, words: ['word5'], limit: 1_000 });
  const wanted = findPlainly(passagesOf([...older, ...newer]), ['word5'], isAllowed);
  expect(found.map(({ offset }) => offset).sort((a, b) => a - b)).toEqual([...wanted.keys()].sort((a, b) => a - b));
  expect(parts.headOf(madeFilmId(0))).toBe(replaced[0]?.head.offset);
  expect(parts.headOf(madeFilmId(20))).toBeUndefined();
  expect(parts.headOf(madeFilmId(30))).toBe(older[30]?.head.offset);

  parts.leave([madeFilmId(30)]);
  expect(parts.headOf(madeFilmId(30))).toBeUndefined();
  const later = await parts.find('passages', { ...nothing, words: ['word5'], limit: 1_000 });
  const left = new Set(older[30]?.passages.map(({ offset }) => offset));
  expect(later).toEqual(found.filter(({ offset }) => !left.has(offset)));
  parts.close();
});

test('a part that is taken over stays open for those who have it', async () => {
  const first = open([0]);
  const next = open([0], first);
  first.close(next);
  expect(await next.find('heads', { ...nothing, words: ['word1'] })).toHaveLength(50);
  next.close();
  await expect(next.find('heads', { ...nothing, words: ['word1'] })).rejects.toThrow('A part of the index is closed.');
});

test('a part is the same however many words are gathered at a time', async () => {
  await write(4, films.slice(0, 300));
  await write(5, films.slice(0, 300), { wordsAtOnce: 500 });
  expect(readFileSync(pathOf(5)).equals(readFileSync(pathOf(4)))).toBe(true);
});

test('a part that is not whole is none', async () => {
  await write(3, films.slice(0, 10));
  truncateSync(pathOf(3), 5_000);
  expect(() => open([0, 3])).toThrow('This is no part of an index.');
});
