import { globSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** What a statement says that reads the packed row by itself: its table, or a column of it. */
const namesRow = /\b(from|join|into|update|only)\s+moments\b|\bm\.(body|word_starts|engines|moment_count|lines|heard|looked|doubtful)\b/;

test('no statement outside this room names the table of packed rows or a column of it', () => {
  const files = globSync('{domain,server,ingest,commands}/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const naming = files.filter((file) => namesRow.test(readFileSync(join(root, file), 'utf8')));
  expect(naming.filter((file) => !file.startsWith(join('domain', 'moments') + sep))).toEqual([]);
  expect(naming).toContain(join('domain', 'moments', 'write-packed-rows.ts'));
});
