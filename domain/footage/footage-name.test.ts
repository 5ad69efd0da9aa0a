import { expect, test } from 'vitest';
import { z } from 'zod';
import { isFootageName } from '#contract/footage-names.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { titleOfFileName, toKeptFileName } from './footage-name.ts';

const corpus = readCorpus('file-names', z.object({ id: z.string(), value: z.string(), expect: z.string() }));
const refused = corpus.filter((entry) => entry.expect === 'reject-extension');

test.each(refused)('a name like $value ($id) is not taken as footage', ({ value }) => {
  expect(isFootageName(value)).toBe(false);
});

test.each(corpus)('whatever it is, the name $id is kept as harmless text and makes a title', ({ value }) => {
  for (const text of [toKeptFileName(value), titleOfFileName(value)]) {
    expect([...text].length).toBeLessThanOrEqual(255);
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/);
    expect(text.isWellFormed()).toBe(true);
  }
  expect(titleOfFileName(value)).not.toBe('');
});

test('a name that is short enough is kept as it is', () => {
  expect(toKeptFileName('reel 1 .mp4')).toBe('reel 1 .mp4');
});

test.each(['mp4', 'srt', 'M2TS'])('a name that is too long keeps its ending .%s', (ending) => {
  for (const length of [250, 259, 5_004]) {
    const kept = toKeptFileName(`${'x'.repeat(length)}.${ending}`);
    expect([kept.endsWith(`.${ending}`), kept.length]).toEqual([true, Math.min(255, length + 1 + ending.length)]);
  }
});

test.each([
  ['/films/harbour_at-dawn.mp4', 'Harbour at dawn'],
  ['my movie - final.mov', 'My movie - final'],
  ['harbour-at-dusk-[AB-1234].mp4', 'Harbour at dusk [AB-1234]'],
  ['Moon landing (1969).mkv', 'Moon landing (1969)'],
  ['.mp4', 'Untitled footage'],
  ['映画.mp4', '映画'],
])('%s is entitled %s', (name, title) => {
  expect(titleOfFileName(name)).toBe(title);
});
