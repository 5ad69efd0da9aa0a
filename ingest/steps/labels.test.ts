import { expect, test } from 'vitest';
import type { SeenThing } from '../engines/human-labels.ts';
import { joinThings } from './labels.ts';

const clock = (score: number, left = 100): SeenThing => ({ name: 'clock', place: [left, 100, 200, 200], score });
/** What is seen in pictures that are two seconds apart. */
const joined = (...pictures: SeenThing[][]) => {
  const seen = pictures.map((things, n) => ({ atMs: n * 2_000, lengthMs: 2_000, seen: things }));
  return joinThings(seen, pictures.length * 2_000).map(({ text, startMs, endMs, confidencePercent }) => [
    ...[text, startMs, endMs, confidencePercent],
  ]);
};

test('a thing that was seen in one picture only names nothing, however sure that was, and however often it stands there', () => {
  expect(joined([], [clock(0.99)], [])).toEqual([]);
  expect(joined([], [clock(0.99), clock(0.98, 500)], [])).toEqual([]);
  expect(joined([], [clock(0.99)], [clock(0.3)])).toEqual([]);
});

test('seen in two pictures it is named, where one of them is sure', () => {
  expect(joined([clock(0.5)], [clock(0.6)], [])).toEqual([['clock', 0, 4_000, 60]]);
  expect(joined([clock(0.5)], [clock(0.54)], [])).toEqual([]);
});
