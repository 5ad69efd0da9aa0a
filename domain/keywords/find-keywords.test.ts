import { expect, test } from 'vitest';
import type { Moment } from '../moments/moment.ts';
import { knownLanguages } from '../words/languages/languages.ts';
import { findKeywords } from './find-keywords.ts';

const said = (...texts: string[]): Moment[] =>
  texts.map((text, n) => ({
    kind: 'Transcript',
    startMs: n * 1_000,
    endMs: n * 1_000 + 900,
    text,
    source: 'sidecar',
    confidencePercent: 100,
  }));
const counts: Record<string, number> = { harbour: 2, ferry: 1, captain: 60, warning: 2, gale: 1 };
const statistics = { videos: 100, countOf: (word: string) => counts[word] ?? 0 };
const keywordsOf = (...texts: string[]) => findKeywords(said(...texts), statistics, knownLanguages).map(({ text }) => text);

test('what is said in this film and in few others comes first, written as it is most often', () => {
  const texts = [
    'The Ferry is late.',
    'The ferry, the captain said.',
    'A ferry and a captain',
    'captain of the harbour',
    'Harbour. harbour!',
  ];
  expect(keywordsOf(...texts)).toEqual(['ferry', 'harbour', 'captain']);
});

test('words that keep together are one keyword, and their parts are no others', () => {
  expect(keywordsOf('A gale warning today', 'Gale warnings again', 'the gale warning', 'one more gale warning')).toEqual(['gale warning']);
  expect(keywordsOf('The gale, warning all', 'gale. Warning!', 'gale; warning')).toEqual(['gale', 'warning']);
});

test('what everybody says tells nothing: stop words, everyday words, numbers, and what is said once', () => {
  expect(
    keywordsOf('I think that people know 1984', 'people think of 1984', 'people know what they think of 1984', 'the ferry once'),
  ).toEqual([]);
});

test('a keyword has the lines that hold it, each once, and weighs the most where it tells the most', () => {
  const found = findKeywords(said('ferry ferry', 'no', 'ferry', 'captain captain captain'), statistics, knownLanguages);
  expect(found.map(({ text, weight, times }) => [text, weight === 1, times.map(({ startMs }) => startMs)])).toEqual([
    ['ferry', true, [0, 2_000]],
    ['captain', false, [3_000]],
  ]);
});
