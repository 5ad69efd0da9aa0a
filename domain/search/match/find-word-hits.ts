import { countLineEnds, lineEndCode, rowHeaderLength, rowMark } from '../../search-index/word-code.ts';
import { type MatcherEntry, skipToCandidate, type WordTable } from './plan-matcher.ts';
import type { HitPlace, WordHits } from './word-hits.ts';

export type Accepts = (asked: Pick<MatcherEntry, 'field' | 'language'>) => boolean;

export interface HitOptions {
  /** Whether what is asked for in a field, or stands for it in a language, may stand here; it may where nothing is said. */
  readonly accepts?: Accepts;
  /** The only lines in which a stretch may begin. */
  readonly lines?: ReadonlySet<number>;
}

/** Hears of a stretch of words; the place changes afterwards. Says whether it has heard enough. */
export type HitListener = (entry: MatcherEntry, place: Readonly<HitPlace>) => boolean;

/**
 * Fills a list with every stretch of words that meets a concept, in order; of those that begin with the same word the longest first.
 * `words` are codes, a line end behind every line; words in a row may cross from line to line.
 */
export function findWordHits(words: Int32Array, table: WordTable, { into, ...options }: HitOptions & { into: WordHits }): void {
  into.clear();
  const isEnough: HitListener = (entry, place) => {
    into.add(entry, place);
    return false;
  };
  seekWordHit(words, table, { ...options, isEnough });
}

/** Gives every stretch of words that meets a concept to `isEnough`, in this order, until that says so; whether it did. Millions of words go through here. */
export function seekWordHit(
  words: Int32Array,
  { entriesOfCode, codeEnds }: WordTable,
  { accepts, lines, isEnough }: HitOptions & { isEnough: HitListener },
): boolean {
  const place = { from: 0, line: 0, endLine: 0, lineFrom: 0 };
  let [line, lineFrom, isWanted] = [0, 0, lines?.has(0) ?? true];
  // Line ends and marks so far: the other codes are words.
  let between = 0;
  for (let at = skipToCandidate(words, codeEnds, 0); at < words.length; at = skipToCandidate(words, codeEnds, at + 1)) {
    const code = words[at] ?? 0;
    if (code === lineEndCode) {
      between++;
      line++;
      lineFrom = at + 1 - between;
      isWanted = lines?.has(line) ?? true;
      continue;
    }
    if (code === rowMark) {
      at += rowHeaderLength - 1;
      between += rowHeaderLength;
      continue;
    }
    const entries = isWanted ? entriesOfCode.get(code) : undefined;
    for (let n = 0; entries && n < entries.length; n++) {
      const entry = entries[n];
      if (!entry || (accepts && !accepts(entry))) continue;
      const ends = entry.codes.length === 1 ? 0 : countLineEnds(words, entry.codes, at);
      if (ends < 0) continue;
      place.from = at - between;
      place.line = line;
      place.endLine = line + ends;
      place.lineFrom = lineFrom;
      if (isEnough(entry, place)) return true;
    }
  }
  return false;
}

/**
 * In how many lines a stretch begins that meets a concept: the number of lines of `findWordHits`, which takes longer to say where they
 * are. Only for a table whose stretches are single words.
 */
export function countLinesHolding(words: Int32Array, { entriesOfCode, codeEnds }: WordTable, accepts: Accepts): number {
  let [count, isCounted] = [0, false];
  for (let at = skipToCandidate(words, codeEnds, 0); at < words.length; at = skipToCandidate(words, codeEnds, at + 1)) {
    const code = words[at] ?? 0;
    if (code === lineEndCode) isCounted = false;
    else if (code === rowMark) at += rowHeaderLength - 1;
    else if (!isCounted && entriesOfCode.get(code)?.some(accepts)) {
      isCounted = true;
      count++;
    }
  }
  return count;
}
