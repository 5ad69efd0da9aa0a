import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const areas = ['contract', 'domain', 'server', 'ingest', 'web', 'e2e', 'testing', 'bench'];
const rows = [...readFileSync(join(root, 'docs/conformance.md'), 'utf8').matchAll(/^\| (\d+\.\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)];

test('docs/conformance.md has every row of the acceptance list once', () => {
  const sections = [5, 15, 6, 4, 4, 6, 6, 8, 11];
  const wanted = sections.flatMap((count, section) => Array.from({ length: count }, (_, n) => `${section + 1}.${n + 1}`));
  expect(rows.map(([, number]) => number)).toEqual(wanted);
});

test('a row that works has a test that begins with its number, in the files that the table names', () => {
  const promised = promisedNumbers();
  for (const [, number = '', status = '', files = ''] of rows) {
    const named = [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    for (const file of named) expect(promised.get(file), `${number} in ${file}`).toContain(number);
    if (status.trim() === 'works') expect(named, `${number} works and has no test`).not.toEqual([]);
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
