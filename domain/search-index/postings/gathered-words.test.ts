import { expect, test } from 'vitest';
import { seededRandom } from '#testing/seeded-random.ts';
import { lineEndCode } from '../word-code.ts';
import { CodePostings } from './gathered-words.ts';

/** Codes that look alike in their lowest bits, negative ones among them; few are frequent. */
const codes = Array.from({ length: 6_000 }, (_, n) => ((n % 3_000) + 1) * 4_096 * (n < 3_000 ? 1 : -1));

test('every word is found in the rows that hold it, as often as it stands there, among thousands of words and rows', () => {
  const random = seededRandom(11);
  const postings = new CodePostings();
  const plainly = new Map<number, Map<number, number>>();
  for (let row = 0; row < 4_000; row++) {
    const words = Array.from({ length: 40 }, (_, n) =>
      n % 10 === 9 ? lineEndCode : (codes[Math.floor(random.next() ** 3 * codes.length)] ?? 0),
    );
    expect(postings.add(row, Int32Array.from(words))).toBe(36);
    for (const code of words) {
      const rows = plainly.get(code) ?? new Map<number, number>();
      plainly.set(code, rows.set(row, (rows.get(row) ?? 0) + 1));
    }
  }
  plainly.delete(lineEndCode);
  expect(plainly.size).toBeGreaterThan(5_000);
  for (const [code, rows] of plainly) {
    const posting = postings.of(code);
    expect(Array.from({ length: posting.length }, (_, n) => [posting.row(n), posting.times(n)])).toEqual([...rows]);
  }
});

test('a word that stands in a row more often than can be counted counts as often as can be', () => {
  const postings = new CodePostings();
  postings.add(0, new Int32Array(200).fill(77));
  postings.add(1, new Int32Array(2).fill(77));
  const posting = postings.of(77);
  expect([posting.length, posting.times(0), posting.row(1), posting.times(1)]).toEqual([2, 63, 1, 2]);
});

test('a word that no row holds is nowhere', () => {
  const postings = new CodePostings();
  postings.add(0, Int32Array.of(17));
  expect(postings.of(17 + 1_024).length).toBe(0);
});
