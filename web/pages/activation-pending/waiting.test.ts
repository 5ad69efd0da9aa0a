import { expect, test } from 'vitest';
import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { putReport } from '#testing/put-report.ts';
import { formatClockTime, formatWaitingTime, readPageAfterwards } from './waiting.ts';

const minute = 60_000;

test.each([
  [0, '00:00', 'PT0H0M'],
  [161.9 * minute, '02:41', 'PT2H41M'],
  [123.5 * 60 * minute, '123:30', 'PT123H30M'],
  // A clock of this device that is slow.
  [-5 * minute, '00:00', 'PT0H0M'],
])('4.2 after %d ms the waiting reads %s', (ms, text, duration) => {
  expect(formatWaitingTime(1_000_000, 1_000_000 + ms)).toEqual({ text, duration });
});

test('a time of today is a time, one of another day says which', () => {
  const today = new Date(2026, 10, 19, 23, 59);
  expect(formatClockTime(new Date(2026, 10, 19, 9, 5), today)).toBe('09:05');
  expect(formatClockTime(new Date(2026, 10, 18, 23, 58), today)).toBe('18 Nov 23:58');
});

test.each([
  ['returnUrl=%2Fvideo%2F0123456789%3Ft%3D12', '/video/0123456789?t=12'],
  ['', '/'],
  ['returnUrl=/video/0123456789&returnUrl=/video/9876543210', '/'],
  ['returnUrl=//evil.example/', '/'],
  ['returnUrl=/login', '/'],
  ['returnUrl=%2Factivation-pending%3FreturnUrl%3D%252Factivation-pending', '/'],
])('4.2 after the activation with %j in the address the page is %s', (query, next) => {
  expect(readPageAfterwards(new URLSearchParams(query))).toBe(next);
});

test('4.2 6.2 whatever the returnUrl says, the page goes on to a page of ours', ({ task }) => {
  const Entry = z.object({ id: z.string(), enc: z.string().optional(), rawQuery: z.string().optional(), result: z.string() });
  const entries = readCorpus('open-redirect', Entry);
  const faults = entries.flatMap(({ id, enc, rawQuery, result }) => {
    const next = readPageAfterwards(new URLSearchParams(rawQuery ?? `returnUrl=${enc}`));
    const expected = result === '/activation-pending' ? '/' : result;
    return next === expected ? [] : [`${id} goes on to ${next}, not to ${expected}`];
  });
  putReport(task, { check: 'redirects', runs: entries.length, escapes: faults.length });
  expect(faults).toEqual([]);
});
