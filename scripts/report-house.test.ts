import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { measureHouse } from './house/measure-house.ts';

const Line = z.object({ check: z.literal('house'), measure: z.string(), value: z.number(), bar: z.number().optional() });

/** A house with something of everything that is counted. */
const house: Record<string, string> = {
  'package.json': JSON.stringify({
    name: 'house',
    type: 'module',
    imports: { '#domain/*': './domain/*' },
    dependencies: { unwanted: '1.0.0' },
  }),
  'knip.json': JSON.stringify({ entry: ['server/main.ts', '**/*.test.ts'], project: ['**/*.ts'] }),
  'server/main.ts': `import { one } from '#domain/one.ts';\nimport { shared } from '../domain/shared.ts';\nvoid import('../web/page.ts');\none(shared);\n`,
  'domain/one.ts': `import type { Two } from './two.ts';\nimport { shared } from './shared.ts';\nexport function one(two: unknown) {\n  // Why.\n\n  return (two as Two).value! + shared.length;\n}\nexport const unwanted = 1;\n`,
  'domain/two.ts': `import type { one } from './one.ts';\nexport interface Two {\n  readonly value: ReturnType<typeof one>;\n}\n`,
  'domain/shared.ts': `export const shared = ['a'] as const;\n`,
  'web/page.ts': `import { useEffect, useLayoutEffect } from 'react';\nuseEffect(() => {});\nuseLayoutEffect(() => {});\n`,
  'server/main.test.ts': `import './main.ts';\n`,
  ...Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`ingest/many/file-${n}.ts`, 'void 0;\n'])),
};
const long = `export function long() {\n${'  void 0;\n'.repeat(60)}}\nlong();\n`;

let root: string;
let report: ReturnType<typeof reportOn>;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rushes-house-'));
  for (const [path, text] of Object.entries(house)) put(path, text);
  report = reportOn(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ['files, without tests', 'files', 31],
  ['the middle length of a file', 'linesP50', 1],
  ['the longest file', 'linesMax', 8],
  ['the lines of a function that hold code', 'functionMax', 3],
  ['files that one file alone imports, by whatever kind of import', 'singleImporterFiles', 2],
  ['functions that are named by nouns', 'nounFunctions', 1],
  ['effects of every kind', 'effects', 2],
  ['claims of a type, `as const` not among them', 'casts', 2],
  ['rings of imports, of types too', 'cycles', 1],
  ['packages that nothing uses', 'unusedDependencies', 1],
  ['folders of more than 25 files', 'foldersOver25Files', 1],
])('it counts %s', (_what, measure, value) => {
  expect(report.lines.find((line) => line.measure === measure)?.value).toBe(value);
});

test('it counts what is exported and used nowhere else, and files that nothing leads to', () => {
  expect(report.lines.find(({ measure }) => measure === 'unusedExports')?.value).toBe(1 + 26);
  expect(report.stderr).toContain('domain/one.ts unwanted');
});

test('two rooms that ask each other are one ring; a room and those within it are none', () => {
  const file = (path: string, ...imports: string[]) => ({ path, imports, lines: 1, functions: [], named: [], effects: [], casts: [] });
  const files = [
    file('domain/a/one.ts', 'domain/b/two.ts', 'domain/a/in/deep.ts'),
    file('domain/b/other.ts', 'domain/a/more.ts', 'domain/c/last.ts'),
    file('domain/a/in/deep.ts', 'domain/a/more.ts'),
  ];
  const found = measureHouse(files, { exports: [], dependencies: [] }).find(({ measure }) => measure === 'roomRings');
  expect(found?.where).toEqual(['domain/a ↔ domain/b']);
});

test('a missed bar ends it with 1, and what stands behind it is named', () => {
  expect(report.status).toBe(1);
  expect(report.stderr).toContain('domain/one.ts → domain/two.ts');
  expect(report.stderr).toContain('ingest/many: 26');
});

test('a house without any of that passes, and a function of more than sixty lines alone fails it', () => {
  const sound = mkdtempSync(join(tmpdir(), 'rushes-house-'));
  root = sound;
  put('package.json', '{"name":"house","type":"module"}');
  put('knip.json', house['knip.json'] ?? '');
  put('server/main.ts', 'void 0;\n');
  expect(reportOn(sound)).toMatchObject({ status: 0, stderr: '' });
  put('server/main.ts', long.replace('export ', ''));
  expect(reportOn(sound).status).toBe(1);
  rmSync(sound, { recursive: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function reportOn(folder: string) {
  const args = [join(import.meta.dirname, 'report-house.ts'), '--root', folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const lines = stdout.split('\n').flatMap((line) => (line === '' ? [] : Line.parse(JSON.parse(line))));
  return { status, stderr, lines };
}
