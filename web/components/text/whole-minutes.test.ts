import { expect, test } from 'vitest';
import { formatWholeMinutes } from './whole-minutes.ts';

test.each([
  [0, '1 min'],
  [1, '1 min'],
  [15, '1 min'],
  [89, '1 min'],
  [90, '2 min'],
  [2_520, '42 min'],
  [72_000, '1,200 min'],
])('9.10 %i seconds are shown as %s', (seconds, shown) => {
  expect(formatWholeMinutes(seconds)).toBe(shown);
});
