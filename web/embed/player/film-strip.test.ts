import { expect, test } from 'vitest';
import type { MarkedMoment } from '../marked-moment.ts';
import { drawSpeech, listStripSeconds, matchesAround, nearestTickIn, placeShots, placeTicks, smallFrameAt, tileAt } from './film-strip.ts';

function foundAt(...seconds: number[]): MarkedMoment[] {
  return seconds.map((startInSeconds) => ({
    id: `${startInSeconds}`,
    kind: 'Transcript',
    startInSeconds,
    text: '',
    ranges: [],
    isByMeaning: false,
    lines: [],
  }));
}

test('ticks nearer than 3 px become one', () => {
  const ticks = placeTicks(foundAt(10, 10.2, 50), { durationInSeconds: 100, widthPx: 1_000 });
  expect(ticks.map((tick) => tick.share)).toEqual([0.1, 0.5]);
});

test('a pointer within 12 px of a tick means that tick', () => {
  const ticks = placeTicks(foundAt(10, 50), { durationInSeconds: 100, widthPx: 1_000 });
  expect(nearestTickIn(ticks, { share: 0.492, widthPx: 1_000 })?.share).toBe(0.5);
  expect(nearestTickIn(ticks, { share: 0.48, widthPx: 1_000 })).toBeNull();
});

test('next and previous match go to the neighbours of the playhead', () => {
  const found = foundAt(10, 20, 30);
  expect(matchesAround(found, 20.1)).toEqual({ number: 2, previous: 10, next: 30 });
  expect(matchesAround(found, 25)).toEqual({ number: 2, previous: 20, next: 30 });
  expect(matchesAround(found, 5)).toEqual({ number: 0, previous: undefined, next: 10 });
  // Reached by a key: a tenth of a second behind its beginning.
  expect(matchesAround(foundAt(10, 10.44), 10.1)).toMatchObject({ number: 1, next: 10.44 });
});

test('a match that begins within the second at which the film was opened is the first, and next goes on to the one behind it', () => {
  const found = foundAt(3, 12.7, 30);
  expect(matchesAround(found, 12.1, { openedAt: 12 })).toEqual({ number: 2, previous: 3, next: 30 });
  expect(matchesAround(found, 11.9, { openedAt: 12 }).number).toBe(1);
  expect(matchesAround(found, 13, { openedAt: 12 }).number).toBe(2);
  // The beginning was not named.
  expect(matchesAround(foundAt(0.7), 0, { openedAt: 0 })).toMatchObject({ number: 0, next: 0.7 });
});

test('while nothing plays the previous one may be less than a second back, while it plays it is one that can still be told apart', () => {
  const found = foundAt(10, 10.8, 20);
  expect(matchesAround(found, 11.5, { isPlaying: false }).previous).toBe(10.8);
  expect(matchesAround(found, 10.9, { isPlaying: false }).previous).toBe(10);
  expect(matchesAround(found, 11.6, { isPlaying: true }).previous).toBe(10);
  expect(matchesAround(found, 11.4, { isPlaying: true }).previous).toBeUndefined();
});

const storyboard = { tileWidth: 160, tileHeight: 90, columns: 5, rows: 2, count: 8, intervalSeconds: 2 };

test('shots are marked where they begin but for the first, and not at all where they stand too close', () => {
  expect(placeShots([0, 5, 10], { durationInSeconds: 20, widthPx: 100 })).toEqual([0.25, 0.5]);
  expect(placeShots([0, 5, 10, 15], { durationInSeconds: 20, widthPx: 17 })).toEqual([]);
  expect(placeShots([], { durationInSeconds: 20, widthPx: 100 })).toEqual([]);
});

test('speech is drawn where it is, and as one where a pause is too short to be seen', () => {
  const strip = { durationInSeconds: 100, widthPx: 200 };
  expect(drawSpeech([10, 20, 20.5, 30, 40, 100.4], strip)).toBe('M20 1H60M80 1H200');
  expect(drawSpeech([], strip)).toBe('');
  expect(drawSpeech([1, 2], { ...strip, durationInSeconds: 0 })).toBe('');
});

test('a second shows its own tile, scaled so that it covers the box', () => {
  expect(tileAt(storyboard, 12, { widthPx: 80, heightPx: 45 })).toEqual({
    backgroundSize: '400px 90px',
    backgroundPosition: '-80px -45px',
  });
});

test('a box of another shape is covered from the middle of the tile', () => {
  expect(tileAt(storyboard, 0, { widthPx: 45, heightPx: 45 })).toEqual({ backgroundSize: '400px 90px', backgroundPosition: '-17.5px 0px' });
});

test('a second past the last tile shows the last tile', () => {
  expect(tileAt(storyboard, 999, { widthPx: 160, heightPx: 90 }).backgroundPosition).toBe('-320px -90px');
});

test('a strip is filled with stills at the middle of their stretch of film', () => {
  expect(listStripSeconds(storyboard, { widthPx: 320, heightPx: 45 }, 40)).toEqual([5, 15, 25, 35]);
});

test('a second has its own small frame, and the end of the film the last one', () => {
  expect([0, 3.9, 4, 31.9, 32].map((second) => smallFrameAt(second, 32))).toEqual([0, 1, 2, 15, 15]);
  expect(smallFrameAt(32.4, 32.4)).toBe(16);
});
