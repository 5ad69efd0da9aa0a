/*
 * Files that recognisers of speech wrote: one reader for each format, all read into the lines of this file.
 */
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import type { TimedPiece } from '../moments/word-starts.ts';
import { type Cue, cleanCueText } from '../subtitles/cue.ts';
import { joinTimedPieces } from '../subtitles/stamped-text.ts';

/** A line of speech as a recogniser wrote it down. Times in seconds from the start of its sound; nothing says yet that they fit together. */
export interface HeardLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** None where the recogniser told the times of lines only. */
  readonly words: readonly HeardWord[];
  readonly speaker?: string | undefined;
  /** From 0 to 1; what its words say of themselves goes before. */
  readonly confidence?: number | undefined;
}

/** A word of such a line; one without a start begins with the word before it. */
export interface HeardWord {
  readonly text: string;
  readonly start?: number | undefined;
  readonly confidence?: number | undefined;
}

/** What a recogniser's file holds before any of its lines is believed. */
export interface HeardSpeech {
  readonly engine: string;
  readonly entries: readonly unknown[];
  /** Reads one of the entries. */
  readonly Line: z.ZodType<HeardLine>;
  readonly language?: string | undefined;
  /** Why none of it can be used, although it is what it seems. */
  readonly refusal?: string | undefined;
}

/** A time that a film can have. */
export const Seconds = z.number().min(0).max(serverLimits.heardSecondsMax);

/** From 0 to 1; what is no such number says nothing. */
export const Share = z.number().min(0).max(1).optional().catch(undefined);

/** Recognisers are this far out of step with themselves; words that are further away make no sense. */
const nearMs = 500;

/** A line as a cue. Its words keep their times where they are the words of its text and begin one after the other within it. */
export function heardLineToCue(line: HeardLine): Cue {
  const startMs = Math.round(line.start * 1_000);
  const times = { startMs, endMs: Math.max(startMs, Math.round(line.end * 1_000)) };
  const text = cleanCueText(line.text);
  const pieces = piecesWithin(withWholeLetters(line.words, text), times);
  const speaker = cleanCueText(line.speaker ?? '');
  const confidencePercent = confidenceOf(line);
  return {
    ...times,
    ...(pieces ? joinTimedPieces(pieces, times, text) : { text }),
    ...(speaker ? { speaker } : {}),
    ...(confidencePercent === undefined ? {} : { confidencePercent }),
  };
}

/** Undefined when a word is far from its line, or far before the word that it follows. */
function piecesWithin(words: readonly HeardWord[], { startMs, endMs }: { startMs: number; endMs: number }): TimedPiece[] | undefined {
  let sinceMs = startMs;
  const pieces: TimedPiece[] = [];
  for (const { text, start } of words) {
    const wordMs = start === undefined ? sinceMs : Math.round(start * 1_000);
    if (wordMs < sinceMs - nearMs || wordMs > endMs + nearMs) return undefined;
    sinceMs = Math.min(endMs, Math.max(sinceMs, wordMs));
    pieces.push({ startMs: sinceMs, text });
  }
  return pieces;
}

/** Tokens of whisper.cpp end within a letter of several bytes, which is broken then; its line has it whole. */
function withWholeLetters(words: readonly HeardWord[], text: string): readonly HeardWord[] {
  const written = text.split(' ');
  if (written.length !== words.length) return words;
  return words.map((word, n) => (word.text.includes('\ufffd') ? { ...word, text: written[n] ?? '' } : word));
}

function confidenceOf({ words, confidence }: HeardLine): number | undefined {
  const known = words.map((word) => word.confidence).filter((share) => share !== undefined);
  const share = known.length > 0 ? known.reduce((sum, one) => sum + one, 0) / known.length : confidence;
  return share === undefined ? undefined : Math.round(share * 100);
}
