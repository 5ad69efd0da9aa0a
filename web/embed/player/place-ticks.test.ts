import { expect, test } from 'vitest';
import type { FoundMoment } from '../found-moment.ts';
import { matchesAround, nearestTick, placeTicks } from './place-ticks.ts';

function foundAt(...seconds: number[]): FoundMoment[] {
  return seconds.map((startInSeconds) => ({
    id: `${startInSeconds}`,
    kind: 'Transcript',
    startInSeconds,
    text: '',
    ranges: [],
    lines: [],
  }));
}

test('ticks nearer than 3 px become one', () => {
  const ticks = placeTicks(foundAt(10, 10.2, 50), { durationInSeconds: 100, widthPx: 1_000 });
  expect(ticks.map((tick) => tick.share)).toEqual([0.1, 0.5]);
});

test('a pointer within 12 px of a tick means that tick', () => {
  const ticks = placeTicks(foundAt(10, 50), { durationInSeconds: 100, widthPx: 1_000 });
  expect(nearestTick(ticks, { share: 0.492, widthPx: 1_000 })?.share).toBe(0.5);
  expect(nearestTick(ticks, { share: 0.48, widthPx: 1_000 })).toBeNull();
});

test('next and previous match go to the neighbours of the playhead', () => {
  const found = foundAt(10, 20, 30);
  expect(matchesAround(found, 20.1)).toEqual({ number: 2, previous: 10, next: 30 });
  expect(matchesAround(found, 25)).toEqual({ number: 2, previous: 20, next: 30 });
  expect(matchesAround(found, 5)).toEqual({ number: 0, previous: undefined, next: 10 });
});
