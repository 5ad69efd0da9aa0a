import { expect, test } from 'vitest';
import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { putReport } from '#testing/put-report.ts';
import { pageAfterwards } from './page-afterwards.ts';

test.each([
  ['returnUrl=%2Fvideo%2F0123456789%3Ft%3D12', '/video/0123456789?t=12'],
  ['', '/'],
  ['returnUrl=/video/0123456789&returnUrl=/video/9876543210', '/'],
  ['returnUrl=//evil.example/', '/'],
  ['returnUrl=/login', '/'],
  ['returnUrl=%2Factivation-pending%3FreturnUrl%3D%252Factivation-pending', '/'],
])('4.2 after the activation with %j in the address the page is %s', (query, next) => {
  expect(pageAfterwards(new URLSearchParams(query))).toBe(next);
});

test('4.2 6.2 whatever the returnUrl says, the page goes on to a page of ours', ({ task }) => {
  const Entry = z.object({ id: z.string(), enc: z.string().optional(), rawQuery: z.string().optional(), result: z.string() });
  const entries = readCorpus('open-redirect', Entry);
  const faults = entries.flatMap(({ id, enc, rawQuery, result }) => {
    const next = pageAfterwards(new URLSearchParams(rawQuery ?? `returnUrl=${enc}`));
    const expected = result === '/activation-pending' ? '/' : result;
    return next === expected ? [] : [`${id} goes on to ${next}, not to ${expected}`];
  });
  putReport(task, { check: 'redirects', runs: entries.length, escapes: faults.length });
  expect(faults).toEqual([]);
});
