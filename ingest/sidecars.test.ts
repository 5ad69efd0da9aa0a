import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findSidecars } from './sidecars.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-sidecars-'));
  writeFileSync(join(folder, 'film.mp4'), 'film');
});
afterEach(() => rmSync(folder, { recursive: true }));

const find = () => findSidecars(join(folder, 'film.mp4'));

test('what lies beside a film under its name belongs to it', async () => {
  writeFileSync(join(folder, 'film.json'), '{"title":"Harbour"}');
  for (const name of ['film.srt', 'film.pt-BR.vtt', 'film two.srt', 'film.txt']) writeFileSync(join(folder, name), '');
  const { facts, subtitles, remarks } = await find();
  expect(facts.title).toBe('Harbour');
  expect(subtitles.map(({ path, language }) => [basename(path), language])).toEqual([
    ['film.pt-BR.vtt', 'pt-BR'],
    ['film.srt', null],
  ]);
  expect(remarks).toEqual([]);
});

test.each([
  ['a link to a file elsewhere', (path: string) => symlinkSync('/etc/hostname', path)],
  ['a link to nothing', (path: string) => symlinkSync('/nowhere/at/all', path)],
  ['a pipe that nobody writes to', (path: string) => execFileSync('mkfifo', [path])],
  ['a folder', (path: string) => mkdirSync(path)],
])('%s beside a film is left alone, and said', async (_, make) => {
  for (const name of ['film.json', 'film.en.srt']) make(join(folder, name));
  expect(await find()).toEqual({
    facts: { people: [], labels: [], brands: [] },
    subtitles: [],
    remarks: ['a link or special file beside it was not read'],
  });
});
