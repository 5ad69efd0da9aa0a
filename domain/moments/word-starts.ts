import type { Moment } from './moment.ts';

/** Text that begins at a time of its own, in milliseconds from the start of the video. */
export interface TimedPiece {
  readonly startMs: number;
  readonly text: string;
}

/**
 * When each blank-parted word of `text` begins, in milliseconds: with the piece that holds its first letter.
 * Undefined when the pieces do not begin with the letters of `text`.
 */
export function wordStartsByPieces(text: string, pieces: readonly TimedPiece[]): number[] | undefined {
  const letters = pieces.map((piece) => withoutBlanks(piece.text));
  if (!letters.join('').startsWith(withoutBlanks(text))) return undefined;
  const starts: number[] = [];
  let piece = 0;
  let lettersBefore = 0;
  let pieceEnd = letters[0]?.length ?? 0;
  for (const word of wordsOf(text)) {
    while (lettersBefore >= pieceEnd && piece < pieces.length - 1) pieceEnd += letters[++piece]?.length ?? 0;
    starts.push(pieces[piece]?.startMs ?? 0);
    lettersBefore += withoutBlanks(word).length;
  }
  return starts;
}

/**
 * One line of a video's word starts: how long after the start of its moment each word begins, in milliseconds.
 * Empty when there are none, or not one for each word, or they run backwards or out of the moment.
 */
export function packWordStarts(
  wordStartsMs: readonly number[] | undefined,
  { startMs, endMs, text }: { startMs: number; endMs: number; text: string },
): string {
  if (!wordStartsMs || wordStartsMs.length !== wordsOf(text).length) return '';
  const offsets = wordStartsMs.map((wordMs) => Math.round(wordMs) - startMs);
  const isSound = offsets.every((offset, n) => offset >= (offsets[n - 1] ?? 0) && offset <= endMs - startMs);
  return isSound ? offsets.join(' ') : '';
}

/** Reads back what `packWordStarts` wrote for a moment that begins at `startMs`. */
export function unpackWordStarts(line: string, startMs: number): number[] | undefined {
  return line === '' ? undefined : line.split(' ').map((offset) => startMs + Number(offset));
}

/** Number of the word, from 0, that holds the character at an offset of the text, or follows it where that is a blank. */
export function wordAt(text: string, offset: number): number {
  const before = text.slice(0, offset);
  const words = wordsOf(before).length;
  return /\S$/u.test(before) && /\S/u.test(text.charAt(offset)) ? words - 1 : words;
}

/** When words begin, where there are as many of them as before. */
export function withWordStarts(found: readonly Moment[], told: readonly Moment[]): Moment[] {
  const starts = found.flatMap(({ wordStartsMs }) => wordStartsMs ?? []);
  const words = told.map(({ text }) => wordsOf(text).length);
  const isKnown = found.every(({ wordStartsMs }) => wordStartsMs) && sum(words) === starts.length;
  return told.map(({ wordStartsMs: _, ...moment }, n) => {
    const from = sum(words.slice(0, n));
    return isKnown ? { ...moment, wordStartsMs: starts.slice(from, from + (words[n] ?? 0)) } : moment;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\S+/gu) ?? [];
}

// Marks that are cleaned away from a text stand in no word.
function withoutBlanks(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069]+/gu, '');
}
