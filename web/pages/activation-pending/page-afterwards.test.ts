import { expect, test } from 'vitest';
import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { putReport } from '#testing/put-report.ts';
import { pageAfterwards } from './page-afterwards.ts';

test.each([
  [['/video/0123456789?t=12'], '/video/0123456789?t=12'],
  [[], '/'],
  [['/video/0123456789', '/video/9876543210'], '/'],
  [['//evil.example/'], '/'],
  [['/login'], '/'],
  [['/activation-pending?returnUrl=%2Factivation-pending'], '/'],
])('4.2 after the activation of somebody who was sent from %j the page is %s', (returnUrls, next) => {
  expect(pageAfterwards(returnUrls)).toBe(next);
});

test('4.2 6.2 whatever the returnUrl says, the page goes on to a page of ours', ({ task }) => {
  const Entry = z.object({ id: z.string(), enc: z.string().optional(), rawQuery: z.string().optional(), result: z.string() });
  const entries = readCorpus('open-redirect', Entry);
  const faults = entries.flatMap(({ id, enc, rawQuery, result }) => {
    const next = pageAfterwards(new URLSearchParams(rawQuery ?? `returnUrl=${enc}`).getAll('returnUrl'));
    const expected = result === '/activation-pending' ? '/' : result;
    return next === expected ? [] : [`${id} goes on to ${next}, not to ${expected}`];
  });
  putReport(task, { check: 'redirects', runs: entries.length, escapes: faults.length });
  expect(faults).toEqual([]);
});
