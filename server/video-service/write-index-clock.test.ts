import { expect, test } from 'vitest';
import { writeIndexClock } from './write-index-clock.ts';

test.each([
  [0, '0:00:00'],
  [5_750, '0:00:05.75'],
  [272_000, '0:04:32'],
  [3_599_999, '0:59:59.999'],
  [36_000_001, '10:00:00.001'],
  [-3, '0:00:00'],
])('%i ms is written %s', (ms, text) => {
  expect(writeIndexClock(ms)).toBe(text);
});
