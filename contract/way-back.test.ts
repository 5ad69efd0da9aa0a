import { expect, test } from 'vitest';
import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { putReport } from '#testing/put-report.ts';
import { readWayBack } from './page-routes.ts';

test.each([
  ['returnUrl=/admin', { admin: true }, '/admin'],
  ['returnUrl=/admin/videos', { admin: true }, '/admin/videos'],
  ['returnUrl=/admin/status', { admin: true }, '/admin/status'],
  ['returnUrl=/desk/films', { editor: true }, '/desk/films'],
  ['returnUrl=/desk', { editor: true }, '/desk'],
  ['returnUrl=/admin', { editor: true }, null],
  ['returnUrl=/desk', { viewer: true }, null],
  ['returnUrl=/desk', undefined, null],
  ['returnUrl=/search', { admin: true }, null],
  ['returnUrl=/', { admin: true }, null],
  ['returnUrl=/admin&returnUrl=/admin', { admin: true }, null],
  ['', { admin: true }, null],
])('6.3 at home with %j in the address, somebody with the roles %j goes on to %s', (query, roles, next) => {
  expect(readWayBack(new URLSearchParams(query), roles)).toBe(next);
});

test('6.3 whatever the returnUrl says, the way back from home leads to a page of ours', ({ task }) => {
  const Entry = z.object({ id: z.string(), enc: z.string().optional(), rawQuery: z.string().optional(), result: z.string() });
  const entries = readCorpus('open-redirect', Entry);
  const ways = entries.map(({ enc, rawQuery, result }) => {
    const next = readWayBack(new URLSearchParams(rawQuery ?? `returnUrl=${enc}`), { admin: true });
    return { next, result };
  });
  const escapes = ways.filter(({ next, result }) => next !== null && next !== result);
  putReport(task, { check: 'redirects', runs: ways.length, escapes: escapes.length });
  expect(escapes).toEqual([]);
  expect(ways.filter(({ next }) => next !== null)).not.toEqual([]);
});
