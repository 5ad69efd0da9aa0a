import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs', 'security.md'), 'utf8');
const rows = [...text.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)];

test('docs/security.md has every promise once, and says of each whether it is kept', () => {
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 31 }, (_, n) => n + 1));
  for (const [, number, , , , state = ''] of rows)
    expect([number, /^(kept|in part|not kept|\*)/.test(state.trim())]).toEqual([number, true]);
});

test('a promise that is kept names its tests, every test that is named is there, and what is not kept says why', () => {
  for (const [, number, , tests = '', , state = ''] of rows) {
    if (state.trim().startsWith('kept')) expect([number, /`/.test(tests)]).toEqual([number, true]);
    else if (!state.trim().startsWith('*')) expect([number, state.includes(':')]).toEqual([number, true]);
  }
  const named = [...text.matchAll(/`([\w/.-]+\.(?:test|e2e)\.tsx?)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
