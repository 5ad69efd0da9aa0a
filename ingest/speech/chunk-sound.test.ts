import { expect, test } from 'vitest';
import type { Stretch } from '../engines/silero-voice.ts';
import { cutIntoChunks } from './chunk-sound.ts';

test('a long film is cut in silence, and only where somebody speaks on and on within speech', () => {
  const speech: Stretch[] = [
    [1_000, 9_000],
    [10_000, 18_000],
    [18_300, 26_000],
    [60_000, 130_000],
  ];
  const chunks = cutIntoChunks(speech, { longestMs: 28_000, endMs: 130_100 });
  expect(chunks.slice(0, 1)).toEqual([[800, 26_200]]);
  expect(chunks.slice(1).map(([start, end]) => [Math.round(start / 1_000), Math.round(end / 1_000)])).toEqual([
    [60, 83],
    [83, 107],
    [107, 130],
  ]);
  for (const [n, [start, end]] of chunks.entries()) {
    expect(end - start).toBeLessThanOrEqual(28_000);
    expect(start).toBeGreaterThanOrEqual(chunks[n - 1]?.[1] ?? 0);
    expect(end).toBeLessThanOrEqual(130_100);
  }
});
