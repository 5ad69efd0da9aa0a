import { expect, test } from 'vitest';
import { formatCount } from './count-wording.ts';

test('a count of everything is exact, however large', () => {
  expect([0, 37, 1_000, 1_312].map((count) => formatCount(count, true))).toEqual(['0', '37', '1,000', '1,312']);
});

test('a count of less than everything says that there may be more, from 1,000 on no more than that, and is no number before there is one', () => {
  expect([0, 37, 999, 1_000, 1_312].map((count) => formatCount(count, false))).toEqual(['', '37+', '999+', '1,000+', '1,000+']);
});
