import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { peerMatches } from './peer-matches.ts';

const asked = { words: [], prefixes: [], phrases: [], not: [], rows: 'all' } as const;
const body = [
  'Ts\t1000\t2000\t100\t\tThe café isn’t far, Commander Young',
  'Os\t1500\t2500\t100\t\tEXIT',
  'Ts\t2000\t9000\t100\t\tsteps onto the moon at 10,000 feet',
].join('\n');
const video = { body, wordStarts: null, names: ['Young at heart', 'Dunes'] };

test('the lines and names that hold a word are its matches, marked as they stand there', () => {
  expect(peerMatches({ ...asked, words: ['young'] }, video)).toEqual([
    { text: 'The café isn’t far, Commander Young', exactTexts: ['Young'], startMs: 1000, score: 1 },
    { text: 'Young at heart', exactTexts: ['Young'], startMs: 0, score: 1 },
  ]);
  expect(peerMatches({ ...asked, words: ['cafe'] }, video)[0]?.exactTexts).toEqual(['café']);
  expect(peerMatches({ ...asked, words: ['isnt'] }, video)[0]?.exactTexts).toEqual(['isn’t']);
  expect(peerMatches({ ...asked, words: ['10000'] }, video)[0]?.exactTexts).toEqual(['10,000']);
  expect(peerMatches({ ...asked, words: ['you'] }, video)).toEqual([]);
  expect(peerMatches({ ...asked, prefixes: ['you'] }, video)[0]?.exactTexts).toEqual(['Young']);
});

test('a phrase runs on into the next line of its kind, and both lines are shown', () => {
  const [match] = peerMatches({ ...asked, phrases: [['young', 'steps', 'onto']] }, video);
  expect(match?.text).toBe('The café isn’t far, Commander Young steps onto the moon at 10,000 feet');
});

test('only the rows that were asked for answer, and a line begins at its word where that is known', () => {
  expect(peerMatches({ ...asked, words: ['young'], rows: 'heads' }, video).map(({ startMs }) => startMs)).toEqual([0]);
  const timed = { ...video, wordStarts: '0 100 200 300 400 900\n\n' };
  expect(peerMatches({ ...asked, words: ['young'], rows: 'passages' }, timed).map(({ startMs }) => startMs)).toEqual([1900]);
});

test('what we are compared with stands on nothing of what answers our searches', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^peer-[a-z]+\.ts$/.test(name));
  expect(files.length).toBeGreaterThan(2);
  const imports = files.flatMap((name) => readFileSync(join(import.meta.dirname, name), 'utf8').match(/(?<=from ')#[^']+/g) ?? []);
  expect(imports.filter((path) => !['#domain/db/database.ts', '#testing/measured-archive.ts'].includes(path))).toEqual([]);
});
