import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { brokenGuards, withoutGuards } from './broken-guards.ts';

const root = resolve(import.meta.dirname, '..', '..');
const files = Object.entries(brokenGuards).flatMap(([check, breaks]) =>
  [...new Set(breaks.map(({ file }) => file))].map((file): [string, string] => [check, file]),
);

test.each(files)('what the check %s loses without its guard stands in %s, once', (check, file) => {
  const source = readFileSync(join(root, file), 'utf8');
  expect(withoutGuards(check, file, source)).not.toBe(source);
});

test('every check of report:trust can lose its guard', () => {
  const script = readFileSync(join(root, 'scripts', 'report-trust.ts'), 'utf8');
  const checks = /const checks = \[([^\]]+)\]/.exec(script)?.[1]?.match(/'[\w-]+'/g) ?? [];
  expect(checks.map((name) => name.slice(1, -1)).sort()).toEqual(Object.keys(brokenGuards).sort());
});
