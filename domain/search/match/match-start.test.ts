import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { findLayers, type Layer } from '../../moments/layers.ts';
import { publishLayers } from '../../videos/recompose-video.ts';

/** Words that say nothing here, as many as begin with the letters asked for. */
const filler = (letters: number) =>
  'murmur '
    .repeat(Math.ceil(letters / 7))
    .slice(0, letters - 1)
    .trim();
/** Forty seconds at fourteen letters a second, the word that is looked for at three quarters. */
const longLine = (word: string, end = 40) => ({ start: 10, end: 10 + end, text: `${filler(420)} ${word} ${filler(140)}` });
const wordsOf = (text: string, start: number) => text.split(' ').map((word, n) => ({ start: start + n, text: word }));
const timed = (start: number, text: string) => ({ start, end: start + 20, text, words: wordsOf(text, start) });

let archive: SearchableArchive;

beforeAll(async () => {
  archive = await createSearchableArchive({
    moon: { lines: [{ ...timed(5, 'Houston, Tranquility Base here. The “Eagle” has landed.'), speaker: 'Armstrong' }] },
    folded: { lines: [timed(100, `İİİ ${'ß'.repeat(9)} 😀😀 ﬁﬁ don’t see him ${'e\u0301'.repeat(30)} so the harbourmaster waits`)] },
    unspaced: { lines: [timed(0, 'first 東京タワー then')] },
    mixed: {
      lines: [
        { start: 0, end: 4, text: 'a plain sextant' },
        timed(10, 'a stamped sextant'),
        { start: 40, end: 44, text: 'one more sextant' },
      ],
    },
    border: { lines: [timed(0, 'ask not what your'), timed(30, 'country can do')] },
    long: { lines: [longLine('periscope')], ocr: [longLine('THE PERISCOPE')] },
    near: { lines: [{ start: 10, end: 50, text: `${filler(100)} barometer ${filler(400)}` }] },
    silent: { lines: [longLine('chronograph', 1_200)] },
    endless: { lines: [{ start: 10, end: 10, text: `${filler(420)} hygrometer` }] },
  });
});
afterAll(() => archive.drop());

async function starts(query: string): Promise<number[]> {
  const { results } = await archive.search(query);
  return (results[0]?.matches ?? []).map(({ startMs }) => startMs);
}

test('a match starts at the first of its words where the times of words are known', async () => {
  expect(await starts('eagle ')).toEqual([10_000]);
  expect(await starts('"eagle has landed"')).toEqual([10_000]);
  expect(await starts('houston landed ')).toEqual([5_000]);
  expect(await starts('tranq')).toEqual([6_000]);
  expect(await starts('landed eagle ')).toEqual([10_000]);
});

test('who speaks is named where their line starts', async () => {
  expect(await starts('person:armstrong ')).toEqual([5_000]);
});

test('letters that fold longer or shorter, emoji and apostrophes before a word do not shift its time', async () => {
  expect(await starts('dont ')).toEqual([104_000]);
  expect(await starts('harbourmaster ')).toEqual([110_000]);
});

test('in a script without blanks a match starts with the run that holds it', async () => {
  expect(await starts('タワー')).toEqual([1_000]);
});

test('lines with and without word times stand side by side', async () => {
  expect((await starts('sextant ')).sort((a, b) => a - b)).toEqual([0, 12_000, 40_000]);
});

test('a match that runs over a border starts in its first line', async () => {
  expect(await starts('"what your country can"')).toEqual([2_000]);
});

test('a word deep in a long line without word times is found shortly before it is said, and what is written with its line', async () => {
  const [spokenMs = 0] = await starts('said:periscope ');
  // Three quarters of forty seconds in, and a little lead.
  expect(spokenMs).toBeGreaterThan(10_000 + 27_000);
  expect(spokenMs).toBeLessThan(10_000 + 29_000);
  expect(await starts('written:periscope ')).toEqual([10_000]);
});

test('only a time that is reckoned within a line says that it is an estimate', async () => {
  const estimated = async (query: string) => {
    const { results } = await archive.search(query);
    return results[0]?.matches[0]?.isEstimated;
  };
  expect(await estimated('said:periscope ')).toBe(true);
  for (const query of ['written:periscope ', 'barometer ', 'eagle ']) expect(await estimated(query)).toBeUndefined();
});

test('a word near the beginning of a long line is found with the line', async () => {
  expect(await starts('barometer ')).toEqual([10_000]);
});

test('silence that a line lasts on, or a line without an end, moves no match past its word', async () => {
  const [silentMs = 0] = await starts('chronograph ');
  expect(silentMs).toBeGreaterThan(10_000 + 28_000);
  expect(silentMs).toBeLessThan(10_000 + 42_000);
  expect(await starts('hygrometer ')).toEqual([10_000]);
});

test('a film that is published anew without word times loses those of before', async () => {
  const [id] = (await archive.search('eagle ')).results.map(({ video }) => video.id);
  const moment = { kind: 'Transcript', source: 'editor', confidencePercent: 100, startMs: 2_000, endMs: 4_000 } as const;
  const { pool } = archive.database;
  const others = (await findLayers(pool, id ?? '')).filter(({ name }) => name !== 'captions');
  const layers: Layer[] = [...others, { name: 'captions', moments: [{ ...moment, text: 'So the Eagle did land.' }] }];
  await publishLayers(pool, id ?? '', { madeBy: 'record', version: 2, layers });
  await archive.publish({ another: 'Nothing of that.' });
  expect(await starts('eagle ')).toEqual([2_000]);
});
