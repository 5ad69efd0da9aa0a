import { expect, test } from 'vitest';
import { mergeTicks } from './match-strip.tsx';

const film = { durationInSeconds: 368, widthPx: 368 };

test('ticks stand in time order where their moments are', () => {
  expect(mergeTicks([184, 92], film)).toEqual([
    { fraction: 0.25, seconds: 92 },
    { fraction: 0.5, seconds: 184 },
  ]);
});

test('ticks nearer than 3 px become one, at the first of them', () => {
  expect(mergeTicks([100, 102, 104, 108], film).map((tick) => tick.seconds)).toEqual([100, 104, 108]);
});

test('a moment past the end stays on the strip', () => {
  expect(mergeTicks([400], film)).toEqual([{ fraction: 1, seconds: 400 }]);
});

test('a film without a length has no ticks', () => {
  expect(mergeTicks([1, 2], { durationInSeconds: 0, widthPx: 368 })).toEqual([]);
});
