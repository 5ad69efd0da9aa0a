import { lineEndCode, wordsFollow } from '../../search-index/word-code.ts';
import type { QueryField } from '../query/query.ts';
import { codeEndsCount, type PlanMatcher } from './plan-matcher.ts';

/** A stretch of words that meets a concept. */
export interface WordHit {
  readonly concept: number;
  readonly fit: number;
  /** Number of its first word, and of the word after it; words of all lines are counted on. */
  readonly from: number;
  readonly to: number;
  /** The line in which it begins. */
  readonly line: number;
}

/**
 * Every stretch of words that meets a concept, in order; of those that begin with the same word the longest first. `words`
 * are codes, a line end behind every line; words in a row may cross from line to line.
 */
export function findWordHits(
  words: Int32Array,
  { entriesOfCode, codeEnds }: PlanMatcher,
  accepts: (field: QueryField | undefined) => boolean,
): WordHit[] {
  const hits: WordHit[] = [];
  let [word, line] = [0, 0];
  for (let at = 0; at < words.length; at++) {
    const code = words[at] ?? 0;
    if (code === lineEndCode) {
      line++;
      continue;
    }
    const entries = codeEnds[code & (codeEndsCount - 1)] === 0 ? undefined : entriesOfCode.get(code);
    if (entries) {
      const before = hits.length;
      for (const { concept, codes, fit, field } of entries) {
        if (accepts(field) && wordsFollow(words, codes, at)) hits.push({ concept, fit, from: word, to: word + codes.length, line });
      }
      if (hits.length - before > 1) hits.push(...hits.splice(before).sort((a, b) => b.to - a.to));
    }
    word++;
  }
  return hits;
}
