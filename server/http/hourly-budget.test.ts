import { expect, test } from 'vitest';
import { countedNetworksOf } from '#domain/networks/counted-networks.ts';
import { makeHourlyBudget } from './rate-limits.ts';

test('so many different things of a video pass within an hour, and those that were seen pass again', () => {
  let now = 0;
  const mayShow = makeHourlyBudget(3, () => now);
  const see = (videoId: string, ...things: number[]) => mayShow({ networks: countedNetworksOf('198.51.100.7'), videoId, things });
  expect([see('a', 1), see('a', 2, 3), see('a', 4), see('a', 1, 3)]).toEqual([true, true, false, true]);
  expect(see('b', 4)).toBe(true);
  now = 3_600_000;
  expect(see('a', 4)).toBe(true);
});

test('all of what is asked for together passes, or nothing of it', () => {
  const mayShow = makeHourlyBudget(3);
  const see = (...things: number[]) => mayShow({ networks: countedNetworksOf('198.51.100.7'), videoId: 'a', things });
  expect([see(1, 2), see(3, 4), see(3), see(4)]).toEqual([true, false, true, false]);
});

test('the networks of an IPv6 site see as much as four', () => {
  const mayShow = makeHourlyBudget(3);
  const passed = Array.from({ length: 100 }, (_, n) =>
    mayShow({ networks: countedNetworksOf(`2001:db8:0:${n.toString(16)}::1`), videoId: 'a', things: [n] }),
  ).filter(Boolean);
  expect(passed).toHaveLength(12);
  expect(mayShow({ networks: countedNetworksOf('2001:db8:1:1::1'), videoId: 'a', things: [99] })).toBe(true);
});

test('what is remembered of everybody together is bounded, and the oldest is forgotten first', () => {
  const mayShow = makeHourlyBudget(1_000_000, () => 0);
  const see = (videoId: string, from: number, count: number) =>
    mayShow({ networks: [{ name: 'a', shares: 1 }], videoId, things: Array.from({ length: count }, (_, n) => from + n) });
  see('first', 0, 1_000_000);
  expect([see('first', 1_000_000, 1), see('second', 0, 1)]).toEqual([false, true]);
  // One more than is remembered: the oldest goes.
  expect(see('third', 0, 1)).toBe(true);
  expect(see('first', 1_000_000, 1)).toBe(true);
});
