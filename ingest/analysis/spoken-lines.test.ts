import { expect, test } from 'vitest';
import { dropInvented, linesOfWords } from './spoken-lines.ts';

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
