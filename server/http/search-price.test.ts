import { expect, test } from 'vitest';
import { searchPrice } from './rate-limits.ts';

const plain = { texts: ['moon landing'], skip: 0, pageSize: 12, isSurveyed: false };

test('a plain search costs one, whatever its words and its page', () => {
  for (const text of ['', 'the', 'apollo 11 landing site', '"one small step"', 'title:moon said:"small step"', 'moon OR luna'])
    expect([text, searchPrice({ ...plain, texts: [text] })]).toEqual([text, 1]);
  expect(searchPrice({ ...plain, texts: [] })).toBe(1);
  expect(searchPrice({ ...plain, skip: 48, pageSize: 25 })).toBe(1);
});

test.each([
  ['a further text', { texts: ['moon', 'luna'] }, 3],
  ['the same text again', { texts: ['moon', 'moon', 'moon'] }, 5],
  ['a word that must not be there', { texts: ['moon -landing'] }, 6],
  ['three words that must be there', { texts: ['+a +of +the'] }, 8],
  ['a phrase of stop words', { texts: ['"to be"'] }, 3],
  ['twenty words', { texts: [Array.from({ length: 20 }, (_, n) => `word${n}`).join(' ')] }, 3],
  ['the nine-hundredth place', { skip: 900 }, 19],
  ['a page of a hundred', { pageSize: 100 }, 4],
  ['an order of the whole answer', { isSurveyed: true }, 9],
])('%s costs more', (_what, more, price) => {
  expect(searchPrice({ ...plain, ...more })).toBe(price);
});

test('all of it together costs as much as it takes', () => {
  const texts = Array.from({ length: 8 }, (_, n) => `+a +of +the +and +to +in +is +it +that +we +you +i -q${n}`);
  expect(searchPrice({ ...plain, texts, skip: 900 })).toBeGreaterThan(100);
});

test('a text that is too long to be read costs one: it is refused', () => {
  expect(searchPrice({ ...plain, texts: ['+a '.repeat(5_000)] })).toBe(1);
});
