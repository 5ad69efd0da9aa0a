import type { TextRange } from '#contract/video-service/answers.ts';
import { isSignificant, type SearchPlan } from '../query/search-plan.ts';
import type { MomentMatch } from './moment-match.ts';
import { findWords, type TextWithWords, toRange } from './text-with-words.ts';
import type { WordHit } from './word-hits.ts';

/**
 * What to mark in a line, title or name: hits beside each other taken together, stop words only where they stand in such a run with a
 * significant word. `hits` are in order, and count words from `wordFrom` on.
 */
export function markRanges(
  words: TextWithWords,
  hits: readonly WordHit[],
  { plan, wordFrom = 0 }: { plan: SearchPlan; wordFrom?: number },
): TextRange[] {
  const runs: { from: number; to: number; isSignificant: boolean }[] = [];
  for (const { concept, from, to } of hits) {
    const last = runs.at(-1);
    if (last && from <= last.to) {
      last.to = Math.max(last.to, to);
      last.isSignificant ||= isSignificant(concept, plan);
    } else runs.push({ from, to, isSignificant: isSignificant(concept, plan) });
  }
  return runs.filter((run) => run.isSignificant).map(({ from, to }) => toRange(words, { from: from - wordFrom, to: to - wordFrom }));
}

/** A match in which nothing more is marked of a word than the beginning that somebody has typed of it: one of `typed`, folded. */
export function markBeginnings(match: MomentMatch, typed: readonly string[]): MomentMatch {
  const { folded, froms, tos } = findWords(match.text);
  const ranges = match.ranges.map(([from, to]): TextRange => {
    const last = tos.findLastIndex((end) => folded.surfaceAt(end) === to);
    const [begins, ends] = [froms[last] ?? 0, tos[last] ?? 0];
    const word = folded.text.slice(begins, ends);
    const beginning = typed.find((one) => one.length < word.length && word.startsWith(one));
    return [from, beginning === undefined ? to : folded.surfaceAt(begins + beginning.length)];
  });
  return { ...match, ranges };
}
