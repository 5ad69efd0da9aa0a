import type { Line } from '#contract/corrections.ts';
import { toWordsPattern } from '#contract/find-words.ts';

/** Writes a word or a few otherwise wherever a film says them, in whatever case and as whole words: each such line as it is, and as it would be. */
export function replaceInLines(lines: readonly Line[], find: string, by: string): { line: Line; becomes: Line }[] {
  const words = toWordsPattern(find.normalize('NFC'));
  if (!words) return [];
  return lines.flatMap((line) => {
    // Some write é as two signs.
    const plain = line.text.normalize('NFC');
    if (plain.search(words) < 0) return [];
    const text = plain
      .replace(words, () => by.trim())
      .replace(/\s+/gu, ' ')
      .trim();
    // A line that would say nothing is left as it is: whoever wants it gone removes it.
    return text === line.text || text === '' ? [] : [{ line: lineOf(line), becomes: { ...lineOf(line), text } }];
  });
}

/** What of a line is corrected. */
export function lineOf({ startMs, endMs, text, speaker }: Line): Line {
  return { startMs, endMs, text, speaker };
}
