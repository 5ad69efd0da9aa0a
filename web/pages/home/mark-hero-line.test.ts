import { expect, test } from 'vitest';
import { markHeroLine } from './mark-hero-line.ts';

test('the marked words of the line carry the marker, the first on a new line', () => {
  expect(markHeroLine('Search everything said, written and seen.', 'said, written and seen')).toEqual([
    { text: 'Search everything ', marked: false, startsLine: false },
    { text: 'said', marked: true, startsLine: true },
    { text: ', ', marked: false, startsLine: false },
    { text: 'written', marked: true, startsLine: false },
    { text: ' and\u00a0', marked: false, startsLine: false },
    { text: 'seen', marked: true, startsLine: false },
    { text: '.', marked: false, startsLine: false },
  ]);
});

test('a line without marked words is one part', () => {
  expect(markHeroLine('Footage of the coast', '')).toEqual([{ text: 'Footage of the coast', marked: false, startsLine: false }]);
});

test('a marked word that begins the line starts no second one', () => {
  expect(markHeroLine('Seen and heard', 'seen')[0]).toEqual({ text: 'Seen', marked: true, startsLine: false });
});
