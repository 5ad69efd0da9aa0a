import { expect, test } from 'vitest';
import type { CountedTerm } from './packed-terms.ts';
import { Vocabulary } from './vocabulary.ts';

/** Words in no order: thousands of them, of all lengths. */
function wordsFrom(first: number, count: number): CountedTerm[] {
  return Array.from({ length: count }, (_, n) => ({ term: ((first + n) * 7_919).toString(36), videos: 1 + (n % 9) }));
}

function held(vocabulary: Vocabulary): [string, number][] {
  return [...new Set(vocabulary.terms())].filter((term) => vocabulary.count(term) > 0).map((term) => [term, vocabulary.count(term)]);
}

test('words that come and go by the thousand leave the same vocabulary as one that is read anew', async () => {
  const before = wordsFrom(1, 30_000);
  const gone = before.filter((_, n) => n % 3 === 0).map(({ term }) => ({ term, videos: 0 }));
  const more = before.filter((_, n) => n % 3 === 1).map(({ term, videos }) => ({ term, videos: videos + 1 }));
  const fresh = wordsFrom(40_000, 22_000);
  const later = await Vocabulary.of({ terms: before, batch: 1, videos: 9, languages: [] }).with({
    changed: [...gone, ...more, ...fresh],
    batch: 2,
    videos: 9,
    languages: [],
  });
  const expected = new Map([...before, ...more, ...fresh].map(({ term, videos }) => [term, videos]));
  for (const { term } of gone) expected.delete(term);
  expect(new Map(held(later))).toEqual(expected);
  expect([...later.terms()]).toEqual([...expected.keys()].sort());
  const [{ term } = { term: '' }] = fresh;
  expect(later.near(`${term}x`, 1).map((near) => near.term)).toContain(term);
});

test('a few later counts are found beside those that were read', async () => {
  const words = Vocabulary.of({ terms: wordsFrom(1, 100), batch: 1, videos: 9, languages: [] });
  const [{ term } = { term: '' }] = wordsFrom(1, 1);
  const later = await words.with({
    changed: [
      { term, videos: 40 },
      { term: 'zebra', videos: 2 },
    ],
    batch: 2,
    videos: 10,
    languages: [],
  });
  expect([later.count(term), later.count('zebra'), later.batch]).toEqual([40, 2, 2]);
  expect(words.count('zebra')).toBe(0);
});
