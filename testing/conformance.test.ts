import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { limits, serverLimits } from '#contract/limits.ts';
import { routes } from '#contract/routes.ts';
import { testsInTurn } from './tests-in-turn.ts';

const root = resolve(import.meta.dirname, '..');
const areas = ['contract', 'domain', 'server', 'ingest', 'web', 'e2e', 'testing', 'bench'];
const conformance = readFileSync(join(root, 'docs/conformance.md'), 'utf8');
const rows = [...conformance.matchAll(/^\| (\d+\.\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)];

test('docs/conformance.md has every row once, in order', () => {
  const sections = [5, 15, 6, 4, 4, 6, 6, 8, 11];
  const wanted = sections.flatMap((count, section) => Array.from({ length: count }, (_, n) => `${section + 1}.${n + 1}`));
  expect(rows.map(([, number]) => number)).toEqual(wanted);
});

test('a row names every file with a test that begins with its number and always runs, and no other; one that works has such a test', () => {
  const promised = [...promisedNumbers()];
  for (const [, number = '', status = '', files = ''] of rows) {
    const named = [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    const found = promised.filter(([, numbers]) => numbers.includes(number)).map(([file]) => file);
    expect([number, named.toSorted()]).toEqual([number, found.toSorted()]);
    if (status.trim().startsWith('works')) expect(named, `${number} works and has no test`).not.toEqual([]);
  }
});

test.each([
  ["test('N a promise', () => {});", ['1.1', '2.3']],
  ["test.each([\n  ['a', 'b'],\n])('N %s', () => {});", ['1.1', '2.3']],
  ["test.each(['a'])(\n  `N %s`, () => {});", ['1.1', '2.3']],
  ["test.skip('N a promise', () => {});", []],
  ["test.fixme('N a promise', async () => {});", []],
  ["test.skipIf(!media).each(['a'])('N %s', () => {});", []],
  ["test.skip(!media, 'no media');\n\ntest('N a promise', () => {});", []],
  ["describe.skipIf(!media)('media', () => {\n  test('N a promise', () => {});\n});", []],
])('of this source, tests that always run promise these rows: %s', (source, numbers) => {
  expect(numbersIn(source.replace('N ', '1.1 2.3 '))).toEqual(numbers);
});

test('every line of figures says of which day they are', () => {
  const [, runs = '', measured = ''] = /## Full runs\n(.*)## Pages, weighed.*?## Search, measured\n(.*)/s.exec(conformance) ?? [];
  const lines = [...runs.matchAll(/^\| [^|]+\|.*$/gm), ...measured.matchAll(/^\| [^|]+\|.*$/gm)].map(([line]) => line);
  expect(lines.length).toBeGreaterThan(60);
  const heads = ['| command | figures |', '| what | bar | reached |'];
  expect(lines.filter((line) => !heads.includes(line) && !/20\d\d-\d\d-\d\d/.test(line))).toEqual([]);
});

test('the last full check of access asked most of the routes that there are', () => {
  const [, asked] = /"check":"role-matrix","routes":(\d+),/.exec(conformance) ?? [];
  expect(Number(asked)).toBeGreaterThan(0.9 * Object.keys(routes).length);
});

test('every file that the guides name is there', () => {
  for (const guide of ['docs/architecture.md', 'CONTRIBUTING.md', 'STYLE.md']) {
    const named = readFileSync(join(root, guide), 'utf8').matchAll(
      /`((?:contract|domain|server|ingest|commands|web|testing|scripts)\/[\w./-]+\.\w+)`/g,
    );
    const missing = [...named].map(([, file = '']) => file).filter((file) => !existsSync(join(root, file)));
    expect([guide, missing]).toEqual([guide, []]);
  }
});

test('every word by which a report picks its tests stands for a file', () => {
  const { stdout } = spawnSync(process.execPath, [join(root, 'scripts', 'report.ts'), '--files'], { cwd: root, encoding: 'utf8' });
  const lines = stdout.split('\n').filter(Boolean);
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => line.includes('"files":0'))).toEqual([]);
});

test.each([
  ['sessions', ['24 hours', '14 days', '12 hours', '7 days'], 'domain/db/migrations/0100-keys.sql'],
  ['who opened which film', [`${serverLimits.recentViewsKeptHours} hours`], null],
  ['sign-in links', [`${limits.signInLinkLifetimeMinutes} minutes`], null],
  ['keys for scripts', [`${limits.keyDaysMax} days`], null],
  ['uploads half-way', [`${limits.uploadKeptDays} days`], null],
  ['films that were deleted', [`${limits.deletedKeptDays} days`, `${limits.restorableDays} days`], null],
  ['searches that failed', [serverLimits.unfoundKeptMax.toLocaleString('en')], null],
  ['jobs that ended', [`${serverLimits.endedJobKeptHours} hours`], null],
  ['processes that have gone', [`${serverLimits.goneProcessKeptHours} hours`], null],
  ['files that the database does not know', [`${serverLimits.unknownFilesKeptHours} hours`], null],
  ['files that the database does not know', [`${limits.restorableDays} days`], null],
])('the operations guide says how long is kept: %s', (what, spans, source) => {
  const row = readFileSync(join(root, 'docs/operations.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${what}`));
  const code = source === null ? null : readFileSync(join(root, source), 'utf8');
  for (const span of spans) {
    expect(row).toContain(span);
    if (code !== null) expect(code).toMatch(new RegExp(`\\b${span}`));
  }
});

/** The row numbers that the names of tests begin with, by file. */
function promisedNumbers(): Map<string, string[]> {
  const files = areas
    .flatMap((area) => readdirSync(join(root, area), { recursive: true, encoding: 'utf8' }).map((name) => join(area, name)))
    .filter((name) => /\.(test|e2e)\.ts$/.test(name) && !testsInTurn.includes(name));
  return new Map(files.map((file) => [file, numbersIn(readFileSync(join(root, file), 'utf8'))]));
}

/** Of tests that always run: neither left out, nor only where a machine has what they need. */
function numbersIn(source: string): string[] {
  if (/^\s*test\.(skip|fixme)\((?!\s*['"`])/m.test(source) || /\bdescribe\.(skip|skipIf|runIf|todo)\b/.test(source)) return [];
  return [...source.matchAll(/\(\s*['"`]((?:\d+\.\d+ )+)/g)].flatMap(({ index, 1: numbers = '' }) => {
    const [, manner = ''] = [...source.slice(0, index + 1).matchAll(/\btest((?:\.\w+)*)\(/g)].at(-1) ?? [];
    return /\.(skip|fixme|todo|fails|skipIf|runIf)\b/.test(manner) ? [] : numbers.trim().split(' ');
  });
}
