import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filmLength } from '../film-frames.ts';
import { films } from './films.ts';

const folder = fileURLToPath(new URL('../../../samples', import.meta.url));
const files = readdirSync(folder);

test('every film lies in the repository with its sidecars, and with captions when it speaks', () => {
  for (const film of films) {
    expect(files).toContain(`${film.fileName}.mp4`);
    expect(files).toContain(`${film.fileName}.json`);
    expect(files.includes(`${film.fileName}.en.vtt`)).toBe(film.sound !== undefined);
  }
});

test('there are at least six films of 15 to 60 seconds, together under 12 MB', () => {
  expect(films.length).toBeGreaterThanOrEqual(6);
  for (const film of films) expect(filmLength(film)).toSatisfy((seconds: number) => seconds >= 15 && seconds <= 60);
  const bytes = files.reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0);
  expect(bytes).toBeLessThan(12_000_000);
});

test('one film is upright, one is silent, one carries an item code and one a year', () => {
  expect(films.some((film) => film.height > film.width)).toBe(true);
  expect(films.some((film) => !film.sound)).toBe(true);
  expect(films.some((film) => /\[[A-Z]+-\d+\]$/.test(film.fileName))).toBe(true);
  expect(films.some((film) => /\(\d{4}\)$/.test(film.fileName))).toBe(true);
});

test('at least two films have a phrase that runs over the border of two captions', () => {
  const split = films.filter((film) => film.sound?.narration.some((sentence) => sentence.parts.length > 1));
  expect(split.length).toBeGreaterThanOrEqual(2);
});

test('no sidecar holds an e-mail address', () => {
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    expect(readFileSync(path.join(folder, file), 'utf8')).not.toContain('@');
  }
});
