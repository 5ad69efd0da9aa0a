import type { MatchKind } from '#contract/match-kinds.ts';
import type { FoldedBody } from './folded-body.ts';

/** A word that comes later in its line than this is not waited for; a nearer one is heard from the line's beginning. */
const deepMs = 8_000;
/** A place that is only reckoned is entered a little early: measured on lines of known times, nine of ten words are then still to come. */
const leadMs = 1_500;
/** Hardly anybody speaks more slowly, so what a line lasts beyond this is silence behind its last word. */
const lettersPerSecondMin = 10;

/**
 * When a match begins, in milliseconds: at the word that stands at the folded offset `from` where its time is known; else
 * at its line, or part of the way into it when the word lies deep in a long spoken line.
 */
export function startOfMatch(folded: FoldedBody, { line, from, kind }: { line: number; from: number; kind: MatchKind }): number {
  const lineMs = folded.startMs(line);
  const { textFrom, end } = folded.line(line);
  if (from < textFrom || from >= end) return lineMs;
  const wordMs = folded.wordStartMs(line, from);
  if (wordMs !== undefined) return wordMs;
  const slowestMs = ((from - textFrom) / lettersPerSecondMin) * 1_000;
  // What is written or seen is there from the beginning.
  if (kind !== 'Transcript' || slowestMs <= deepMs) return lineMs;
  const share = (from - textFrom) / (end - textFrom);
  const sinceLineMs = Math.min(share * (folded.endMs(line) - lineMs), slowestMs);
  return sinceLineMs > deepMs ? lineMs + Math.round(sinceLineMs - leadMs) : lineMs;
}
