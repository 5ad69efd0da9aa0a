import { expect, test } from 'vitest';
import { makeTokenBuckets } from './rate-limits.ts';

const of = (name: string, shares = 1) => [{ name, shares }];

test('a burst passes, then so many a minute, for each name apart', () => {
  let now = 0;
  const take = makeTokenBuckets({ perMinute: 60, burst: 3 }, () => now);
  expect([take(of('a')), take(of('a')), take(of('a')), take(of('a'))]).toEqual([0, 0, 0, 1]);
  expect(take(of('b'))).toBe(0);
  now = 1_000;
  expect([take(of('a')), take(of('a'))]).toEqual([0, 1]);
});

test('the wait is as long as it takes until one passes', () => {
  let now = 0;
  const take = makeTokenBuckets({ perMinute: 2, burst: 1 }, () => now);
  take(of('a'));
  expect(take(of('a'))).toBe(30);
  now = 29_999;
  expect(take(of('a'))).toBe(1);
  now = 30_000;
  expect(take(of('a'))).toBe(0);
});

test('what costs more takes more, and what costs more than all takes all', () => {
  let now = 0;
  const take = makeTokenBuckets({ perMinute: 60, burst: 10 }, () => now);
  expect([take(of('a'), 8), take(of('a'), 8)]).toEqual([0, 6]);
  expect(take(of('a'), 2)).toBe(0);
  expect(take(of('a'), 500)).toBe(10);
  now = 10_000;
  expect([take(of('a'), 500), take(of('a'))]).toEqual([0, 1]);
});

test('whoever has several shares holds and regains as many buckets, and nobody pays for what another cannot', () => {
  let now = 0;
  const take = makeTokenBuckets({ perMinute: 60, burst: 1 }, () => now);
  const networks = [1, 2, 3, 4, 5].map((n) => [...of(`network ${n}`), ...of('site', 4)]);
  expect(networks.map((payers) => take(payers))).toEqual([0, 0, 0, 0, 1]);
  now = 250;
  // The fifth has not paid for the time it was refused.
  expect(take(networks[4] ?? [])).toBe(0);
});
