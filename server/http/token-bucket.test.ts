import { expect, test } from 'vitest';
import { tokenBuckets } from './token-bucket.ts';

test('a burst passes, then so many a minute, for each key apart', () => {
  let now = 0;
  const take = tokenBuckets({ perMinute: 60, burst: 3 }, () => now);
  expect([take('a'), take('a'), take('a'), take('a')]).toEqual([0, 0, 0, 1]);
  expect(take('b')).toBe(0);
  now = 1_000;
  expect([take('a'), take('a')]).toEqual([0, 1]);
});

test('the wait is as long as it takes until one passes', () => {
  let now = 0;
  const take = tokenBuckets({ perMinute: 2, burst: 1 }, () => now);
  take('a');
  expect(take('a')).toBe(30);
  now = 29_999;
  expect(take('a')).toBe(1);
  now = 30_000;
  expect(take('a')).toBe(0);
});
