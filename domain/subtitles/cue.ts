import { serverLimits } from '#contract/limits.ts';
import type { Moment, MomentSource } from '../moments/moment.ts';

/** A stretch of text as a subtitle file gives it. Times in milliseconds from the start of the film. */
export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly speaker?: string;
  /** 0 to 100, where a recogniser of speech says how sure it is. */
  readonly confidencePercent?: number;
  /** When each blank-parted word of `text` begins, where the file stamps them and the stamps make sense. */
  readonly wordStartsMs?: readonly number[];
}

/** What a subtitle file holds, and what had to be left out of it. */
export interface ParsedSubtitles {
  readonly cues: Cue[];
  readonly warnings: string[];
  /** The recogniser of speech that wrote it, if one did. */
  readonly engine?: string | undefined;
}

/** A cue's text as one line without controls; direction marks stay, the page isolates them. */
export function cleanCueText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, serverLimits.cueMaxCharacters)
    .toWellFormed();
}

/** Where cues belong, and where they come from. */
interface FilmOfCues {
  readonly durationInSeconds: number;
  readonly source: MomentSource;
  readonly engine?: string | undefined;
  /** Whether they come from a recogniser that is mostly wrong. */
  readonly isRough?: boolean | undefined;
}

/** A caption that is repeated while it stays on screen is one line; what is said once more later is another. */
const staysWithinMs = 500;

/** Cues as spoken text. Those past the end of the film are left out, equal neighbours without a gap become one line. */
export function cuesToMoments(cues: readonly Cue[], film: FilmOfCues): Moment[] {
  const moments: Moment[] = [];
  for (const cue of cuesWithin(cues, film.durationInSeconds)) {
    const before = moments.at(-1);
    if (before && before.text === cue.text && before.speaker === cue.speaker && cue.startMs <= before.endMs + staysWithinMs) {
      moments[moments.length - 1] = { ...before, endMs: Math.max(before.endMs, cue.endMs) };
    } else {
      moments.push({
        kind: 'Transcript',
        confidencePercent: 100,
        ...cue,
        source: film.source,
        ...(film.engine ? { engine: film.engine } : {}),
        ...(film.isRough ? { isRough: true } : {}),
      });
    }
  }
  return moments;
}

/** Cues that begin within the film, none reaching beyond its end. */
export function cuesWithin(cues: readonly Cue[], durationInSeconds: number): Cue[] {
  const filmMs = Math.ceil(durationInSeconds * 1_000);
  return cues.filter((cue) => cue.startMs < filmMs).map((cue) => ({ ...cue, endMs: Math.min(cue.endMs, filmMs) }));
}
