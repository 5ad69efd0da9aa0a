import { expect, test } from 'vitest';
import { clockTime, waitingTime } from './waiting-time.ts';

const minute = 60_000;

test.each([
  [0, '00:00', 'PT0H0M'],
  [161.9 * minute, '02:41', 'PT2H41M'],
  [123.5 * 60 * minute, '123:30', 'PT123H30M'],
  // A clock of this device that is slow.
  [-5 * minute, '00:00', 'PT0H0M'],
])('4.2 after %d ms the waiting reads %s', (ms, text, duration) => {
  expect(waitingTime(1_000_000, 1_000_000 + ms)).toEqual({ text, duration });
});

test('a time of today is a time, one of another day says which', () => {
  const today = new Date(2026, 10, 19, 23, 59);
  expect(clockTime(new Date(2026, 10, 19, 9, 5), today)).toBe('09:05');
  expect(clockTime(new Date(2026, 10, 18, 23, 58), today)).toBe('18 Nov 23:58');
});
