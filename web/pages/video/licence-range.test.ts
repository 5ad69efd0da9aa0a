import { expect, test } from 'vitest';
import { writeLicenceLetter } from './about-film.ts';
import { markRange } from './licence-range.ts';

test('without a mark all of the film is meant, and begun seconds are part of what is marked', () => {
  const range = markRange(32.4);
  expect(range.ends()).toEqual([0, 33]);
  range.mark('in', 12.9);
  expect(range.ends()).toEqual([12, 33]);
  range.mark('out', 16.1);
  expect(range.ends()).toEqual([12, 17]);
});

test('an end on the wrong side of the other begins another range, as in an editing program', () => {
  const range = markRange(300);
  range.mark('in', 20);
  range.mark('out', 40);
  range.mark('in', 100);
  expect(range.read()).toEqual({ in: 100, out: null });
  expect(range.ends()).toEqual([100, 300]);
  range.mark('out', 120);
  expect(range.ends()).toEqual([100, 120]);
  range.mark('out', 60);
  expect(range.read()).toEqual({ in: null, out: 60 });
});

test('no range is empty or beyond the film', () => {
  const range = markRange(32.4);
  range.mark('in', 20);
  range.mark('out', 20);
  expect(range.ends()).toEqual([19, 20]);
  range.mark('in', 20);
  expect(range.ends()).toEqual([20, 21]);
  range.mark('in', 500);
  expect(range.ends()).toEqual([32, 33]);
  range.mark('out', 0);
  expect(range.ends()).toEqual([0, 1]);
});

test('where nobody knows how long the film is a range ends where somebody says', () => {
  const range = markRange(0);
  expect(range.ends()).toEqual([0, null]);
  range.mark('in', 754.2);
  expect(range.ends()).toEqual([754, null]);
  range.mark('out', 900.5);
  expect(range.ends()).toEqual([754, 901]);
});

test('a letter that asks for a range names both ends, its length, the link to its beginning and what it is for', () => {
  const film = {
    video: { id: '0123456789', name: 'Harbour at six' },
    link: 'https://archive.example/video/0123456789?t=774',
    rights: null,
  };
  const letter = new URLSearchParams(writeLicenceLetter({ ...film, seconds: 774, until: 992, use: 'Documentary & trailer + web' }));
  expect(letter.get('subject')).toBe('Licence: Harbour at six, 00:12:54 to 00:16:32');
  expect(letter.get('body')?.split('\r\n')).toEqual([
    ...['Title: Harbour at six', 'Id: 0123456789', 'Range: 00:12:54 to 00:16:32, length 00:03:38'],
    ...['Link: https://archive.example/video/0123456789?t=774', 'Use: Documentary & trailer + web', '', ''],
  ]);
});
