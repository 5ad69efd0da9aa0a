import { expect, test } from 'vitest';
import { seededRandom } from '#testing/seeded-random.ts';
import { listTermsMaybeNear, makeDeletionTable, makeDeletionTableInSlices } from './deletion-table.ts';
import { indexLetters, lettersOf, listNearTerms } from './near-terms.ts';
import { Vocabulary } from './vocabulary.ts';

const words =
  'a ab abc abcd acbd bacd badc land landed lander landing lands laned lithium litmus lunar magnificent mono moon noon sand sound zeal'
    .split(' ')
    .sort();

function indexOf(terms: readonly string[]) {
  let length = 0;
  const starts = Uint32Array.from([0, ...terms.map((term) => (length += term.length))]);
  return indexLetters({ text: terms.join(''), starts });
}

/** The plain way: the whole table of distances for each word. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      const row = table[i];
      if (row) row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1), swap);
    }
  }
  return at(a.length, b.length);
}

test.each(['land', 'lnad', 'abdc', 'magnificant', 'litium', 'mon', 'zzz', 'laned', 'b', 'ldna', 'unmagnificents', 'ab'])(
  'finds every word near %s and no other',
  (word) => {
    for (const edits of [1, 2]) {
      const near = listNearTerms(indexOf(words), { word: lettersOf(word), edits, among: words.keys() }).map(({ at, edits: found }) => ({
        term: words[at] ?? '',
        edits: found,
      }));
      const expected = words.filter((other) => other !== word && distance(word, other) <= edits);
      expect(near.map(({ term }) => term).sort()).toEqual(expected);
      for (const { term, edits: found } of near) expect(found).toBe(distance(word, term));
    }
  },
);

test('the table of deletions names every word that is near, whatever was mistyped', async () => {
  const random = seededRandom(3);
  const letters = 'abcdeé東';
  const word = (length: number) => Array.from({ length }, () => letters.charAt(random.below(letters.length))).join('');
  const terms = [...new Set(Array.from({ length: 3_000 }, () => word(1 + random.below(14))))];
  const index = indexOf(terms);
  const table = makeDeletionTable(index);
  expect(await makeDeletionTableInSlices(index)).toEqual(table);
  for (let n = 0; n < 150; n++) {
    const typed =
      n % 3 === 0 ? word(1 + random.below(14)) : (random.pick(terms) ?? '').replace(letters.charAt(random.below(letters.length)), '');
    for (const edits of [1, 2]) {
      const asked = { word: lettersOf(typed), edits };
      const near = listNearTerms(index, { ...asked, among: listTermsMaybeNear(table, asked.word, edits) });
      const all = listNearTerms(index, { ...asked, among: terms.keys() });
      expect(near.map(({ at }) => terms[at]).sort()).toEqual(all.map(({ at }) => terms[at]).sort());
    }
  }
});

test('the vocabulary completes by frequency and follows changes', async () => {
  const vocabulary = Vocabulary.of({ terms: words.map((term, n) => ({ term, videos: n + 1 })), batch: 1, videos: 30, languages: [] });
  expect(vocabulary.completions('land', 3).map(({ term }) => term)).toEqual(['lands', 'landing', 'lander']);
  const later = await vocabulary.with({
    changed: [
      { term: 'landau', videos: 99 },
      { term: 'lands', videos: 0 },
    ],
    batch: 2,
    videos: 31,
    languages: [],
  });
  expect(later.completions('land', 2).map(({ term }) => term)).toEqual(['landau', 'landing']);
  expect(later.count('lands')).toBe(0);
  expect(later.near('landa', 1).map(({ term }) => term)).toEqual(['landau', 'land']);
});
