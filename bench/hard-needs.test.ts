import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readNeedsBySet } from './find-needs.ts';

test.each([
  ['hard', 200, 9],
  ['blind', 200, 11],
])('the %s needs are at least %i, of %i kinds, each asked once, none of them longer than people type', (name, least, kinds) => {
  const needs = readNeedsBySet(join(import.meta.dirname, 'queries', `${name}.jsonl`)).get('transcript') ?? [];
  expect(needs.length).toBeGreaterThanOrEqual(least);
  for (const field of ['id', 'query'] as const) expect(new Set(needs.map((need) => need[field])).size).toBe(needs.length);
  expect(needs.filter(({ query }) => query.split(' ').length > 9)).toEqual([]);
  expect(new Set(needs.map(({ kind }) => kind)).size).toBe(kinds);
});
