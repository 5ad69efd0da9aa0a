import { expect, test } from 'vitest';
import type { Stretch } from '../engines/silero-voice.ts';
import { dropInvented } from '../steps/speech.ts';
import { cutIntoChunks } from './chunk-sound.ts';
import { linesOfWords } from './lines-of-words.ts';

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

test('words become lines that end with a sentence, before a pause and before they get too long', () => {
  const spoken = 'The tide turned at nine. Nobody saw it happen'.split(' ');
  const words = spoken.map((text, n) => ({ text, start: n * 0.4 + (n > 6 ? 2 : 0), end: n * 0.4 + 0.3 + (n > 6 ? 2 : 0) }));
  expect(linesOfWords(words).map(({ text }) => text)).toEqual(['The tide turned at nine.', 'Nobody saw', 'it happen']);
  const many = Array.from({ length: 60 }, (_, n) => ({ text: 'seven', start: n * 0.1, end: n * 0.1 + 0.1 }));
  for (const { text } of linesOfWords(many)) expect(text.length).toBeLessThanOrEqual(84);
});

test('lines that were invented over silence, or go round in circles, are left out', () => {
  const cue = (second: number, text: string) => ({ startMs: second * 1_000, endMs: second * 1_000 + 900, text });
  const round = 'thank you for watching '.repeat(12);
  const cues = [
    cue(1, 'The lamps go out.'),
    cue(2, round),
    cue(3, 'No.'),
    cue(4, 'No.'),
    cue(5, 'no'),
    cue(6, '♪'),
    cue(20, 'Subtitles by nobody'),
  ];
  expect(dropInvented(cues, [[0, 10_000]]).map(({ text }) => text)).toEqual(['The lamps go out.', 'No.', 'No.']);
});
