import { countLineEnds, lineEndCode, rowHeaderLength, rowMark } from '../../search-index/word-code.ts';
import { type MatcherEntry, mayBegin, type WordTable } from './plan-matcher.ts';

export type Accepts = (asked: Pick<MatcherEntry, 'field' | 'language'>) => boolean;

/** A stretch of words that meets a concept. */
export interface WordHit extends Pick<MatcherEntry, 'concept' | 'fit' | 'tokens'> {
  /** Number of its first word, and of the word after it; words of all lines are counted on. */
  readonly from: number;
  readonly to: number;
  /** The line in which it begins, and that in which it ends. */
  readonly line: number;
  readonly endLine: number;
  /** Number of the first word of the line in which it begins. */
  readonly lineFrom: number;
}

export interface HitOptions {
  /** Whether what is asked for in a field, or stands for it in a language, may stand here; it may where nothing is said. */
  readonly accepts?: Accepts;
  /** The only lines in which a stretch may begin. */
  readonly lines?: ReadonlySet<number>;
}

/**
 * Every stretch of words that meets a concept, in order; of those that begin with the same word the longest first. `words`
 * are codes, a line end behind every line; words in a row may cross from line to line.
 */
export function findWordHits(words: Int32Array, table: WordTable, options?: HitOptions): WordHit[] {
  const hits: WordHit[] = [];
  someWordHit(words, table, { ...options, isEnough: (hit) => hits.push(hit) === 0 });
  return hits;
}

/** Gives every stretch of words that meets a concept to `isEnough`, in this order, until that says so; whether it did. */
export function someWordHit(
  words: Int32Array,
  { entriesOfCode, codeEnds }: WordTable,
  { accepts, lines, isEnough }: HitOptions & { isEnough: (hit: WordHit) => boolean },
): boolean {
  const place: WordPlace = { at: 0, word: 0, line: 0, lineFrom: 0 };
  for (let at = nextBegin(words, codeEnds, 0); at < words.length; at = nextBegin(words, codeEnds, at + 1)) {
    const entries = entriesOfCode.get(words[at] ?? 0);
    if (!entries || !moveOn(words, place, at) || (lines && !lines.has(place.line))) continue;
    const { word: from, line, lineFrom } = place;
    for (const entry of entries) {
      if (accepts && !accepts(entry)) continue;
      const { concept, codes, fit, tokens } = entry;
      const ends = codes.length === 1 ? 0 : countLineEnds(words, codes, at);
      if (ends >= 0 && isEnough({ concept, fit, tokens, from, to: from + codes.length, line, endLine: line + ends, lineFrom })) return true;
    }
  }
  return false;
}

/**
 * In how many lines a stretch begins that meets a concept: the number of lines of `findWordHits`, which takes much longer to say where they
 * are. Only for a table whose stretches are single words.
 */
export function countLinesHolding(words: Int32Array, { entriesOfCode, codeEnds }: WordTable, accepts: Accepts): number {
  const place: WordPlace = { at: 0, word: 0, line: 0, lineFrom: 0 };
  let [count, counted] = [0, -1];
  for (let at = nextBegin(words, codeEnds, 0); at < words.length; at = nextBegin(words, codeEnds, at + 1)) {
    const entries = entriesOfCode.get(words[at] ?? 0);
    if (!entries || !moveOn(words, place, at) || place.line === counted || !entries.some(accepts)) continue;
    counted = place.line;
    count++;
  }
  return count;
}

/** The first place from `from` on where a wanted stretch may begin; the number of words when there is none. Millions of words go through here. */
function nextBegin(words: Int32Array, codeEnds: Int32Array, from: number): number {
  const { length } = words;
  for (let at = from; at < length; at++) if (mayBegin(codeEnds, words[at] ?? 0)) return at;
  return length;
}

/** A place in the codes of a text. */
interface WordPlace {
  at: number;
  /** Number of the word that stands there. */
  word: number;
  line: number;
  /** Number of the first word of the line. */
  lineFrom: number;
}

/** Moves a place on to `to`; false when no word stands there, but a part of what marks a row. */
function moveOn(words: Int32Array, place: WordPlace, to: number): boolean {
  let { at, word, line, lineFrom } = place;
  for (; at < to; at++) {
    const code = words[at];
    if (code === lineEndCode) {
      line++;
      lineFrom = word;
    } else if (code === rowMark) at += rowHeaderLength - 1;
    else word++;
  }
  place.at = at;
  place.word = word;
  place.line = line;
  place.lineFrom = lineFrom;
  return at === to;
}
