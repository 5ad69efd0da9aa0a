import { serverLimits } from '#contract/limits.ts';
import type { TimedPiece } from '../moments/word-starts.ts';
import type { Cue, ParsedSubtitles } from './cue.ts';
import { joinTimedPieces } from './stamped-text.ts';

// Nothing in it reads on into the next line.
const dialogue = /^Dialogue:[^,\r\n]*,(\d+):(\d{2}):(\d{2})\.(\d{2}),(\d+):(\d{2}):(\d{2})\.(\d{2}),(?:[^,\r\n]*,){6}(.*)$/gm;

/** Reads the spoken lines of an ASS or SSA script; its styles, fonts and drawings are of no use here. */
export function parseAss(text: string): ParsedSubtitles {
  const cues = [...text.matchAll(dialogue)].map(([, h1, m1, s1, c1, h2, m2, s2, c2, line = '']): Cue => {
    const startMs = ((Number(h1) * 60 + Number(m1)) * 60 + Number(s1)) * 1_000 + Number(c1) * 10;
    const endMs = ((Number(h2) * 60 + Number(m2)) * 60 + Number(s2)) * 1_000 + Number(c2) * 10;
    const times = { startMs, endMs: Math.max(startMs, endMs) };
    return { ...times, ...joinTimedPieces(syllablesOf(line, startMs), times) };
  });
  const unreadable = (text.match(/^Dialogue:/gm)?.length ?? 0) - cues.length;
  return {
    cues: cues.filter((cue) => cue.text !== ''),
    warnings: unreadable > 0 ? [`${unreadable} subtitles with unreadable times ignored`] : [],
  };
}

/** Codes stand between the syllables of a song: `{\k50}` is how many hundredths of a second the next one lasts. */
function syllablesOf(line: string, startMs: number): TimedPiece[] {
  const spaced = line.replace(/\\[Nnh]/g, ' ');
  if (!/\\k/i.test(line) || line.length > serverLimits.stampedCueMaxCharacters)
    return [{ startMs, text: spaced.replace(/\{[^{}]*\}/g, '') }];
  let [pieceMs, nextMs] = [startMs, startMs];
  return spaced.split(/(\{[^{}]*\})/).map((part, n) => {
    if (n % 2 === 0) return { startMs: pieceMs, text: part };
    for (const [, hundredths] of part.matchAll(/\\[kK][fo]?(\d{1,6})/g)) {
      pieceMs = nextMs;
      nextMs += Number(hundredths) * 10;
    }
    return { startMs: pieceMs, text: '' };
  });
}
