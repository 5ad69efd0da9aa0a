import { deflateSync } from 'node:zlib';
import type { Stretch } from '../engines/silero-voice.ts';
import type { Cue } from '../subtitles/cue.ts';

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
    const isInvented = letters === '' || inARow > sameInARowMax || goesRound(cue.text) || !isVoiced(cue, voiceMs);
    if (!isInvented) kept.push(cue);
  }
  return kept;
}

function goesRound(text: string): boolean {
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
