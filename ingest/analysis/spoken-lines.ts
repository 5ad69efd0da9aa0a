/*
 * What a recogniser heard comes to lines that read well, and to those that can be believed.
 */
import { deflateSync } from 'node:zlib';
import type { Cue } from '#domain/subtitles/cue.ts';
import type { HeardLine } from '#domain/transcripts/heard-line.ts';
import type { Stretch } from '../engines/silero-voice.ts';

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

/** As Whisper judges itself: text that can be written so much shorter says the same again and again. */
const compressionMax = 2.4;
/** A short text has no room to repeat itself in. */
const compressedFromLetters = 60;
/** Somebody may say it twice. */
const sameInARowMax = 2;
/** As a share of the line. */
const voiceMin = 0.1;

/**
 * Leaves out lines that recognisers invent: over silence, and those in which they go round in circles. Cues and stretches of speech in
 * order of time.
 */
export function dropInvented(cues: readonly Cue[], voiceMs: readonly Stretch[]): Cue[] {
  const kept: Cue[] = [];
  let inARow = 0;
  let before = '';
  for (const cue of cues) {
    const letters = cue.text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    inARow = letters === before ? inARow + 1 : 1;
    before = letters;
    const isInvented = letters === '' || inARow > sameInARowMax || isRepetitive(cue.text) || !isVoiced(cue, voiceMs);
    if (!isInvented) kept.push(cue);
  }
  return kept;
}

function isRepetitive(text: string): boolean {
  const bytes = Buffer.from(text);
  return bytes.length >= compressedFromLetters && bytes.length / deflateSync(bytes).length > compressionMax;
}

function isVoiced({ startMs, endMs }: Cue, voiceMs: readonly Stretch[]): boolean {
  let voicedMs = 0;
  for (const [start, end] of voiceMs) {
    if (start > endMs) break;
    voicedMs += Math.max(0, Math.min(end, endMs) - Math.max(start, startMs));
  }
  return voicedMs >= Math.max(1, (endMs - startMs) * voiceMin);
}
