import type { MatchKind } from '#contract/match-kinds.ts';
import type { Moment } from '../../moments/moment.ts';
import { wordAt } from '../../moments/word-starts.ts';
import type { MomentMatch } from './moment-match.ts';

/** What is shown of a line of a film. */
export type ShownLine = Pick<Moment, 'text' | 'startMs' | 'endMs' | 'wordStartsMs'>;

/** A word that comes later in its line than this is not waited for; a nearer one is heard from the line's beginning. */
const deepMs = 8_000;
/** A place that is only reckoned is entered a little early: measured on lines of known times, nine of ten words are then still to come. */
const leadMs = 1_500;
/** Hardly anybody speaks more slowly, so what a line lasts beyond this is silence behind its last word. */
const lettersPerSecondMin = 10;

/**
 * When a match begins, in milliseconds: at the word that stands at the offset `from` of the line where its time is known; else
 * at its line, or part of the way into it when the word lies deep in a long spoken line, and that is an estimate.
 */
export function startOfMatch(
  { text, startMs, endMs, wordStartsMs }: ShownLine,
  { from, kind }: { from: number; kind: MatchKind },
): Pick<MomentMatch, 'startMs' | 'isEstimated'> {
  if (from >= text.length) return { startMs };
  const wordMs = wordStartsMs?.[wordAt(text, from)];
  if (wordMs !== undefined) return { startMs: wordMs };
  const slowestMs = (from / lettersPerSecondMin) * 1_000;
  // What is written or seen is there from the beginning.
  if (kind !== 'Transcript' || slowestMs <= deepMs) return { startMs };
  const sinceLineMs = Math.min((from / text.length) * (endMs - startMs), slowestMs);
  return sinceLineMs > deepMs ? { startMs: startMs + Math.round(sinceLineMs - leadMs), isEstimated: true } : { startMs };
}
