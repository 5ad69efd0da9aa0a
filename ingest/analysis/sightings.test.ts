import { expect, test } from 'vitest';
import type { SeenFace } from '../engines/human-faces.ts';
import type { SeenThing } from '../engines/human-labels.ts';
import { groupFaces, joinThings } from './sightings.ts';

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

/** A face that is told from others by its direction alone; people of different numbers are at right angles. */
const face = (person: number, left: number, score = 0.95): SeenFace => ({
  place: [left, 200, 100, 150],
  score,
  embedding: Buffer.from(Uint8Array.from([0, 1, 2, 3], (n) => (n === person ? 200 : 1))).toString('base64'),
});
/** Who is seen from when to when, in pictures that are a second apart. */
function people(pictures: readonly (readonly SeenFace[])[], shotStartsMs: readonly number[] = [0]) {
  const seen = pictures.map((faces, n) => ({ atMs: n * 1_000, lengthMs: 1_000, seen: [...faces] }));
  return groupFaces(seen, { shotStartsMs, endMs: pictures.length * 1_000 }).map(({ tracks }) =>
    tracks.map(({ startMs, endMs }) => [startMs, endMs]),
  );
}

test('a face is followed through a shot, also where it turns away for a moment, and is the same person in the next one', () => {
  expect(people([[face(0, 100)], [face(0, 120)], [], [face(0, 130)]])).toEqual([[[0, 4_000]]]);
  expect(people([[face(0, 100)], [face(0, 100)], [face(0, 600)], [face(0, 600)]], [0, 2_000])).toEqual([
    [
      [0, 2_000],
      [2_000, 4_000],
    ],
  ]);
});

test('two who are seen at once are two people however alike they are, and those who are seen longest come first', () => {
  expect(people([[face(0, 100), face(0, 600)], [face(0, 100), face(0, 600)], [face(0, 100)]])).toEqual([[[0, 3_000]], [[0, 2_000]]]);
  expect(people([[face(1, 100)], [face(1, 100)], [face(0, 100)], [face(0, 100)], [face(0, 100)]], [0, 2_000])).toEqual([
    [[2_000, 5_000]],
    [[0, 2_000]],
  ]);
});

test('a face that is seen once counts where the finder was sure of it', () => {
  expect(people([[face(0, 100, 0.7)], [], [], []])).toEqual([]);
  expect(people([[face(0, 100, 0.95)], [], [], []])).toEqual([[[0, 1_000]]]);
});
