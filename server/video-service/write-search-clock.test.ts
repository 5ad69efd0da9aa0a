import { expect, test } from 'vitest';
import { writeSearchClock } from './write-search-clock.ts';

test.each([
  [0, '00:00:00'],
  [26_000, '00:00:26'],
  [1_100, '00:00:01.1000000'],
  [3_725_007, '01:02:05.0070000'],
  [90_061_000, '1.01:01:01'],
])('%i ms is written %s', (ms, text) => {
  expect(writeSearchClock(ms)).toBe(text);
});
