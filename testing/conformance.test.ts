import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';

const root = resolve(import.meta.dirname, '..');
const areas = ['contract', 'domain', 'server', 'ingest', 'web', 'e2e', 'testing', 'bench'];
const rows = [...readFileSync(join(root, 'docs/conformance.md'), 'utf8').matchAll(/^\| (\d+\.\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)];

test('docs/conformance.md has every row once, in order', () => {
  const sections = [5, 15, 6, 4, 4, 6, 6, 8, 11];
  const wanted = sections.flatMap((count, section) => Array.from({ length: count }, (_, n) => `${section + 1}.${n + 1}`));
  expect(rows.map(([, number]) => number)).toEqual(wanted);
});

test('a row that works has a test that begins with its number, in the files that the table names', () => {
  const promised = promisedNumbers();
  for (const [, number = '', status = '', files = ''] of rows) {
    const named = [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    for (const file of named) expect(promised.get(file), `${number} in ${file}`).toContain(number);
    if (status.trim().startsWith('works')) expect(named, `${number} works and has no test`).not.toEqual([]);
  }
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
  ['who opened which film', ['6 hours'], 'domain/videos/counts.ts'],
  ['sign-in links', [`${limits.signInLinkLifetimeMinutes} minutes`], null],
  ['keys for scripts', [`${limits.keyDaysMax} days`], null],
  ['uploads half-way', [`${limits.uploadKeptDays} days`], null],
  ['films that were deleted', [`${limits.deletedKeptDays} days`, `${limits.restorableDays} days`], null],
  ['searches that failed', ['20,000'], 'domain/unfound/unfound-queries.ts'],
  ['jobs that ended', ['24 hours'], 'domain/jobs/job-queue.ts'],
  ['processes that have gone', ['12 hours'], 'domain/status/processes.ts'],
  ['files that the database does not know', ['24 hours'], 'commands/worker.ts'],
  ['files that the database does not know', [`${limits.restorableDays} days`], null],
])('the operations guide says how long is kept: %s', (what, spans, source) => {
  const row = readFileSync(join(root, 'docs/operations.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${what}`));
  const code = source === null ? null : readFileSync(join(root, source), 'utf8');
  for (const span of spans) {
    expect(row).toContain(span);
    // As a query says it, or as a number of hours or days in the code.
    if (code !== null) expect(code).toMatch(inCode(span));
  }
});

/** `24 hours` as `24 hours`, `24 * 60 * 60`, `Hours = 24`, or `36 * settledMs`. */
function inCode(span: string): RegExp {
  const [number = '', unit] = span.split(' ');
  if (unit === undefined) return new RegExp(number.replace(',', '_'));
  return new RegExp(`\\b${span}|\\b${number} \\* (60 \\* 60|settledMs)|Hours = ${number}\\b`);
}

/** The row numbers that the names of tests begin with, by file. */
function promisedNumbers(): Map<string, string[]> {
  const files = areas
    .flatMap((area) => readdirSync(join(root, area), { recursive: true, encoding: 'utf8' }).map((name) => join(area, name)))
    .filter((name) => /\.(test|e2e)\.ts$/.test(name));
  return new Map(files.map((file) => [file, numbersIn(readFileSync(join(root, file), 'utf8'))]));
}

function numbersIn(source: string): string[] {
  return [...source.matchAll(/\btest(?:\.\w+)*(?:\(.*\))?\(\s*['"`]((?:\d+\.\d+ )+)/g)].flatMap(([, numbers = '']) =>
    numbers.trim().split(' '),
  );
}
