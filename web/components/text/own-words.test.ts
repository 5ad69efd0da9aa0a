import { expect, test } from 'vitest';
import { describeMoments, markHeroLine, narrowToHeld } from './own-words.ts';

const line = 'Search everything said, written and seen.';

test('the archive’s line promises what is said, written or seen only where there is some of it', () => {
  expect(narrowToHeld(line, ['said', 'written', 'people', 'labels'])).toBe(line);
  expect(narrowToHeld(line, ['said', 'written'])).toBe('Search everything said and written.');
  expect(narrowToHeld(line, ['said', 'labels'])).toBe('Search everything said and seen.');
  expect(narrowToHeld('Footage, searched by what was said, written or seen', ['written', 'people'])).toBe(
    'Footage, searched by what was written or seen',
  );
  expect(narrowToHeld(line, ['people'])).toBe('Search everything seen.');
  expect(narrowToHeld(line, [])).toBe('Search everything named.');
});

test('other words of an archive stay as they are', () => {
  expect(narrowToHeld('Footage of the coast, unseen and unwritten', [])).toBe('Footage of the coast, unseen and unwritten');
});

test('what is found to the second is told of what there is', () => {
  expect(describeMoments(['said', 'written', 'people', 'labels'])).toBe(
    'Every spoken line, every sign on a wall, every face in this archive, found to the second.',
  );
  expect(describeMoments(['written', 'labels'])).toBe('Every sign on a wall, every recognised thing in this archive, found to the second.');
  expect(describeMoments([])).toBe('Every title in this archive, found by its words.');
});

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
