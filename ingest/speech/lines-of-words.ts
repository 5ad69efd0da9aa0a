import type { HeardLine } from '#domain/transcripts/heard-line.ts';

/** A word with its start and end in seconds. */
export interface SpokenWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly confidence?: number | undefined;
}

/** Whoever pauses so long has said something. */
const pauseSeconds = 0.8;
/** As long as two lines of a caption. */
const lineLetters = 84;
const lineSeconds = 8;

/** Words as lines that read well: one ends with a sentence, before a pause, and before it gets too long. */
export function linesOfWords(words: readonly SpokenWord[]): HeardLine[] {
  const lines: SpokenWord[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    if (line && before && !endsBetween(line, before, word)) line.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => ({
    start: line[0]?.start ?? 0,
    end: line.at(-1)?.end ?? 0,
    text: line.map(({ text }) => text).join(' '),
    words: line.map(({ text, start, confidence }) => ({ text, start, confidence })),
  }));
}

function endsBetween(line: readonly SpokenWord[], before: SpokenWord, word: SpokenWord): boolean {
  const letters = line.reduce((sum, { text }) => sum + text.length + 1, word.text.length);
  const endsSentence = /[.!?…。！？]["'”’)\]]*$/u.test(before.text) && line.length > 2;
  return endsSentence || word.start - before.end >= pauseSeconds || letters > lineLetters || word.end - (line[0]?.start ?? 0) > lineSeconds;
}
