import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readNeeds } from './find-needs.ts';

test('the hard needs are at least two hundred, each asked once, none of them longer than people type', () => {
  const needs = readNeeds(join(import.meta.dirname, 'queries', 'hard.jsonl'), 'transcript');
  expect(needs.length).toBeGreaterThanOrEqual(200);
  for (const field of ['id', 'query'] as const) expect(new Set(needs.map((need) => need[field])).size).toBe(needs.length);
  expect(needs.filter(({ query }) => query.split(' ').length > 9)).toEqual([]);
  expect(new Set(needs.map(({ kind }) => kind)).size).toBe(9);
});
