import type { MatcherEntry } from './plan-matcher.ts';

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

/** Where a stretch of words stands. */
export type HitPlace = Pick<WordHit, 'from' | 'line' | 'endLine' | 'lineFrom'>;

/**
 * Stretches of words, column by column. A film may hold thousands of them, and of a thousand films they are only counted: an object
 * for each would take longer than to find it. A list is filled again and again.
 */
export class WordHits {
  #length = 0;
  readonly #entries: MatcherEntry[] = [];
  readonly #froms: number[] = [];
  readonly #lines: number[] = [];
  readonly #endLines: number[] = [];
  readonly #lineFroms: number[] = [];

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  add(entry: MatcherEntry, { from, line, endLine, lineFrom }: HitPlace): void {
    const n = this.#length++;
    this.#entries[n] = entry;
    this.#froms[n] = from;
    this.#lines[n] = line;
    this.#endLines[n] = endLine;
    this.#lineFroms[n] = lineFrom;
  }

  /** Adds the hit of this number of another list. */
  addOf(other: WordHits, n: number): void {
    const entry = other.#entries[n];
    if (entry) this.add(entry, { from: other.from(n), line: other.line(n), endLine: other.endLine(n), lineFrom: other.#lineFroms[n] ?? 0 });
  }

  concept(n: number): number {
    return this.#entries[n]?.concept ?? 0;
  }

  fit(n: number): number {
    return this.#entries[n]?.fit ?? 0;
  }

  from(n: number): number {
    return this.#froms[n] ?? 0;
  }

  to(n: number): number {
    return this.from(n) + (this.#entries[n]?.codes.length ?? 0);
  }

  line(n: number): number {
    return this.#lines[n] ?? 0;
  }

  endLine(n: number): number {
    return this.#endLines[n] ?? 0;
  }

  /** The hits from one number to the one before another, each by itself. */
  slice(first: number, end: number): WordHit[] {
    return this.#entries.slice(first, end).map(({ concept, fit, tokens }, n) => {
      const place = { line: this.line(first + n), endLine: this.endLine(first + n), lineFrom: this.#lineFroms[first + n] ?? 0 };
      return { concept, fit, tokens, from: this.from(first + n), to: this.to(first + n), ...place };
    });
  }
}
