import { expect, test } from 'vitest';
import { wordAt, wordStartsByPieces } from './word-starts.ts';

const pieces = (...all: [number, string][]) => all.map(([startMs, text]) => ({ startMs, text }));

test('a word begins with the piece that holds its first letter, however the pieces cut the text', () => {
  expect(wordStartsByPieces('the Eagle has landed', pieces([0, 'the'], [100, ' Eagle has '], [200, 'lan'], [300, 'ded']))).toEqual([
    0, 100, 100, 200,
  ]);
  expect(wordStartsByPieces('don’t 😀 İzmir', pieces([0, 'don'], [50, ''], [100, '’t'], [200, '😀'], [300, 'İzmir']))).toEqual([
    0, 200, 300,
  ]);
});

test('pieces that say something else, or less, give nothing', () => {
  expect(wordStartsByPieces('the Eagle', pieces([0, 'the'], [100, 'Beagle']))).toBeUndefined();
  expect(wordStartsByPieces('the Eagle', pieces([0, 'the']))).toBeUndefined();
  expect(wordStartsByPieces('the Eagle', [])).toBeUndefined();
});

test('pieces may say more, and marks that nobody sees or hears do not count', () => {
  expect(wordStartsByPieces('\u200f the Eagle', pieces([0, 'the'], [100, 'Ea\u200bgle'], [200, 'has']))).toEqual([0, 0, 100]);
});

test('an offset belongs to the word that holds it, or to the next one', () => {
  const text = '“co-pilot”  here';
  expect([0, 4, 9, 10, 12, 14].map((offset) => wordAt(text, offset))).toEqual([0, 0, 0, 1, 1, 1]);
});
