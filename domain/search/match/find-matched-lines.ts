import { isSignificant, type SearchPlan } from '../query/search-plan.ts';
import { ofMoment } from '../weights.ts';
import { acceptedIn, HitFinder, type WordsOf } from './film-hits.ts';
import { countLinesHolding } from './find-word-hits.ts';
import type { PlanMatcher } from './plan-matcher.ts';
import type { HitRange } from './weigh-adjacency.ts';
import { WordHits } from './word-hits.ts';

/** A line that answers a plan. Lines are numbered among those of their kind. */
export interface MatchedLine extends HitRange {
  readonly number: number;
  /** The last line that it shows: its words may run on into the next one. */
  readonly last: number;
  /** The list in which what it shows as matched stands, by these numbers. */
  readonly hits: WordHits;
  /** How much of what is asked it holds: 1 for all of one of the texts, rare words more than common ones. */
  readonly coverage: number;
}

/** What is looked for: the plan of all texts together. */
interface Asked {
  readonly plan: SearchPlan;
  readonly matcher: PlanMatcher;
  /** The significant concepts of each text that was asked, by their numbers in the plan. */
  readonly wantedOfText: readonly (readonly number[])[];
}

/** Finds the lines of one kind that answer a plan, in one film after the other. What it finds stands in lists that it fills again for the next. */
export class LineFinder {
  readonly #plan: SearchPlan;
  readonly #matcher: PlanMatcher;
  readonly #finder: HitFinder;
  readonly #hits = new WordHits();
  /** Those of a line together with those of the next one into which it runs on. */
  readonly #joined = new WordHits();
  readonly #coverageOf: (hits: WordHits, range: HitRange) => number;

  constructor({ plan, matcher, wantedOfText }: Asked) {
    this.#plan = plan;
    this.#matcher = matcher;
    this.#finder = new HitFinder(matcher);
    this.#coverageOf = measureCoverage(plan, wantedOfText);
  }

  /** The lines that can be shown as one match each, in order; good until the next call. */
  find(words: Int32Array, of: WordsOf): MatchedLine[] {
    this.#finder.find(words, of, this.#hits);
    this.#joined.clear();
    const lines: MatchedLine[] = [];
    /** First words of what is shown with a line before. */
    const shownBefore = new Set<number>();
    for (let from = 0, to = 0; from < this.#hits.length; from = to) {
      to = this.#endOfLine(from);
      const line = this.#toLine({ from, to }, shownBefore);
      if (line) lines.push(line);
    }
    return lines;
  }

  /** The number of the first hit behind those that begin in the same line. */
  #endOfLine(from: number): number {
    let to = from + 1;
    while (to < this.#hits.length && this.#hits.line(to) === this.#hits.line(from)) to++;
    return to;
  }

  /** What the hits of a line show; nothing where all that is significant in it is shown with the line before. */
  #toLine(own: HitRange, shownBefore: Set<number>): MatchedLine | undefined {
    const hits = this.#hits;
    const number = hits.line(own.from);
    const last = this.#lastLine(own);
    const inNext = last === undefined ? this.#runOn(own) : [];
    const isShown = this.#holdsSignificant(own, shownBefore) || inNext.some((n) => isSignificant(hits.concept(n), this.#plan));
    for (const n of inNext) shownBefore.add(hits.from(n));
    if (!isShown) return undefined;
    if (inNext.length === 0)
      return { number, last: last ?? number, hits, from: own.from, to: own.to, coverage: this.#coverageOf(hits, own) };
    const { from, to } = this.#join(own, inNext);
    return {
      number,
      last: hits.line(inNext[0] ?? 0),
      hits: this.#joined,
      from,
      to,
      coverage: this.#coverageOf(this.#joined, { from, to }),
    };
  }

  /** How many lines `find` finds, how many words it looks at for that, and the coverage of each line; no coverages where all are the same. */
  count(words: Int32Array, of: WordsOf): { lines: number; hits: number; coverages?: readonly number[] } {
    const { concepts } = this.#plan;
    // A single word never runs over into the next line.
    if (concepts.length === 1 && concepts[0]?.alternatives.every(({ tokens }) => tokens.length === 1)) {
      const lines = countLinesHolding(words, this.#matcher.significant, acceptedIn(of));
      return { lines, hits: lines };
    }
    const lines = this.find(words, of);
    return {
      lines: lines.length,
      coverages: lines.map(({ coverage }) => coverage),
      hits: lines.reduce((sum, { from, to }) => sum + to - from, 0),
    };
  }

  /** Whether any of these hits is significant and not shown with a line before. */
  #holdsSignificant({ from, to }: HitRange, shownBefore: ReadonlySet<number>): boolean {
    for (let n = from; n < to; n++)
      if (isSignificant(this.#hits.concept(n), this.#plan) && !shownBefore.has(this.#hits.from(n))) return true;
    return false;
  }

  /** The line in which a phrase ends that begins in this one; undefined when none runs over its border. */
  #lastLine({ from, to }: HitRange): number | undefined {
    for (let n = from; n < to; n++) if (this.#hits.endLine(n) !== this.#hits.line(n)) return this.#hits.endLine(n);
    return undefined;
  }

  /** The numbers of the hits of the next line into which the words of this one run on in the order in which they were asked for. */
  #runOn({ from, to }: HitRange): number[] {
    const hits = this.#hits;
    const inNext: number[] = [];
    for (let [before, n] = [to - 1, to]; n < hits.length; n++) {
      if (hits.from(n) > hits.to(before) || (inNext[0] !== undefined && hits.line(n) !== hits.line(inNext[0]))) break;
      const goesOn = hits.from(n) === hits.to(before) && hits.concept(n) === hits.concept(before) + 1 && hits.endLine(n) === hits.line(n);
      if (!goesOn) continue;
      inNext.push(n);
      before = n;
    }
    const isEnough = inNext.length > 0 && this.#runAtEnd({ from, to }) + inNext.length >= Math.min(3, this.#plan.concepts.length);
    return isEnough ? inNext : [];
  }

  /** How many asked words in their order end the line. */
  #runAtEnd({ from, to }: HitRange): number {
    const hits = this.#hits;
    let count = 1;
    for (let n = to - 1; n > from; n--) {
      if (hits.concept(n - 1) !== hits.concept(n) - 1 || hits.to(n - 1) !== hits.from(n)) break;
      count++;
    }
    return count;
  }

  #join({ from, to }: HitRange, inNext: readonly number[]): HitRange {
    const first = this.#joined.length;
    for (let n = from; n < to; n++) this.#joined.addOf(this.#hits, n);
    for (const n of inNext) this.#joined.addOf(this.#hits, n);
    return { from: first, to: this.#joined.length };
  }
}

/** The coverage from which on a line of a film is a match, by those of all its lines: where none has a fair share of what is asked, the highest. */
export function leastCoverage(coverages: Iterable<number>): number {
  let most = 0;
  for (const each of coverages) most = Math.max(most, each);
  return Math.min(ofMoment.leastCoverage, most);
}

/** Says of hits which share of what is asked they are, however well each word fits, and of several texts of the one of which they are most. */
function measureCoverage({ concepts }: SearchPlan, wantedOfText: Asked['wantedOfText']): (hits: WordHits, range: HitRange) => number {
  const isHeld = new Uint8Array(concepts.length);
  const weigh = (numbers: readonly number[]) => {
    let sum = 0;
    for (const n of numbers) if (isHeld[n]) sum += concepts[n]?.weight ?? 0;
    return sum;
  };
  isHeld.fill(1);
  const whole = wantedOfText.map(weigh);
  return (hits, { from, to }) => {
    isHeld.fill(0);
    for (let n = from; n < to; n++) isHeld[hits.concept(n)] = 1;
    let most = 0;
    for (const [n, numbers] of wantedOfText.entries()) most = Math.max(most, weigh(numbers) / (whole[n] || 1));
    return most;
  };
}
