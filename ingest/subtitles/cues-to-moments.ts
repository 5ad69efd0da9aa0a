import type { Moment, MomentSource } from '#domain/moments/moment.ts';
import type { Cue } from './cue.ts';

/** Where cues belong, and where they come from. */
export interface FilmOfCues {
  readonly durationInSeconds: number;
  readonly source: MomentSource;
  readonly engine?: string | undefined;
}

/** Cues as spoken text. Those past the end of the film are left out, equal neighbours become one line. */
export function cuesToMoments(cues: readonly Cue[], film: FilmOfCues): Moment[] {
  const moments: Moment[] = [];
  for (const cue of cuesWithin(cues, film.durationInSeconds)) {
    const before = moments.at(-1);
    // A caption that is repeated while it stays on screen is one line.
    if (before && before.text === cue.text && before.speaker === cue.speaker) {
      moments[moments.length - 1] = { ...before, endMs: Math.max(before.endMs, cue.endMs) };
    } else {
      moments.push({
        kind: 'Transcript',
        confidencePercent: 100,
        ...cue,
        source: film.source,
        ...(film.engine ? { engine: film.engine } : {}),
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
