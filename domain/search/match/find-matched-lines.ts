import type { SearchPlan } from '../query/search-plan.ts';
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
  readonly told: number;
}

/** Finds the lines of one kind that answer a plan, in one film after the other. What it finds stands in lists that it fills again for the next. */
export class LineFinder {
  readonly #plan: SearchPlan;
  readonly #matcher: PlanMatcher;
  readonly #finder: HitFinder;
  readonly #hits = new WordHits();
  /** Those of a line together with those of the next one into which it runs on. */
  readonly #joined = new WordHits();
  readonly #told: (hits: WordHits, range: HitRange) => number;

  /** `alternatives`: the words that tell of each text that was asked, as numbers of the plan's concepts. */
  constructor({ plan, matcher, alternatives }: { plan: SearchPlan; matcher: PlanMatcher; alternatives: readonly (readonly number[])[] }) {
    this.#plan = plan;
    this.#matcher = matcher;
    this.#finder = new HitFinder(matcher);
    this.#told = toldOf(plan, alternatives);
  }

  /** The lines that can be shown as one match each, in order; good until the next call. */
  find(words: Int32Array, of: WordsOf): MatchedLine[] {
    const [hits, joined] = [this.#hits, this.#joined];
    this.#finder.find(words, of, hits);
    joined.clear();
    const lines: MatchedLine[] = [];
    /** First words of what is shown with a line before. */
    const swallowed = new Set<number>();
    for (let from = 0, to = 0; from < hits.length; from = to) {
      const number = hits.line(from);
      while (to < hits.length && hits.line(to) === number) to++;
      const last = this.#lastLine({ from, to });
      const inNext = last === undefined ? this.#runOn({ from, to }) : [];
      const isShown = this.#tells({ from, to }, swallowed) || inNext.some((n) => isSignificant(hits.concept(n), this.#plan));
      for (const n of inNext) swallowed.add(hits.from(n));
      if (!isShown) continue;
      if (inNext.length === 0) lines.push({ number, last: last ?? number, hits, from, to, told: this.#told(hits, { from, to }) });
      else {
        const range = this.#join({ from, to }, inNext);
        lines.push({ number, last: hits.line(inNext[0] ?? 0), hits: joined, ...range, told: this.#told(joined, range) });
      }
    }
    return lines;
  }

  /** How many lines `find` finds, how many words it looks at for that, and how much each line tells; nothing where all of them tell the same. */
  count(words: Int32Array, of: WordsOf): { lines: number; hits: number; told?: readonly number[] } {
    const { concepts } = this.#plan;
    // A single word never runs over into the next line.
    if (concepts.length === 1 && concepts[0]?.alternatives.every(({ tokens }) => tokens.length === 1)) {
      const lines = countLinesHolding(words, this.#matcher.significant, acceptedIn(of));
      return { lines, hits: lines };
    }
    const lines = this.find(words, of);
    return { lines: lines.length, told: lines.map(({ told }) => told), hits: lines.reduce((sum, { from, to }) => sum + to - from, 0) };
  }

  /** Whether any of these hits tells, and is not shown with a line before. */
  #tells({ from, to }: HitRange, swallowed: ReadonlySet<number>): boolean {
    for (let n = from; n < to; n++) if (isSignificant(this.#hits.concept(n), this.#plan) && !swallowed.has(this.#hits.from(n))) return true;
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

/** How much a line of a film has to tell for a match, by what all its lines tell: where none has a fair share of what is asked, those with most of it. */
export function leastTold(told: Iterable<number>): number {
  let most = 0;
  for (const each of told) most = Math.max(most, each);
  return Math.min(ofMoment.told, most);
}

/** Says of hits how much of what is asked they are, however well each word fits, and of several texts of the one of which they are most. */
function toldOf({ concepts }: SearchPlan, alternatives: readonly (readonly number[])[]): (hits: WordHits, range: HitRange) => number {
  const isHeld = new Uint8Array(concepts.length);
  const weigh = (numbers: readonly number[]) => {
    let sum = 0;
    for (const n of numbers) if (isHeld[n]) sum += concepts[n]?.weight ?? 0;
    return sum;
  };
  isHeld.fill(1);
  const whole = alternatives.map(weigh);
  return (hits, { from, to }) => {
    isHeld.fill(0);
    for (let n = from; n < to; n++) isHeld[hits.concept(n)] = 1;
    let most = 0;
    for (const [n, numbers] of alternatives.entries()) most = Math.max(most, weigh(numbers) / (whole[n] || 1));
    return most;
  };
}

/** Whether a concept is one that a line can be shown for. */
export function isSignificant(concept: number, plan: SearchPlan): boolean {
  return plan.onlyStopWords || plan.concepts[concept]?.isStopWord === false;
}
