import { isSignificant, type SearchPlan } from '../query/search-plan.ts';
import { ofMoment } from '../weights.ts';
import type { HitRange } from './adjacency.ts';
import { acceptedIn, HitFinder, type WordsOf } from './film-hits.ts';
import { countLinesHolding } from './find-word-hits.ts';
import type { PlanMatcher } from './plan-matcher.ts';
import { WordHits } from './word-hits.ts';

/** A line that can be shown as a match. Lines are numbered among those of their kind. */
interface ShownLine extends HitRange {
  readonly number: number;
  /** The last line that it shows: its words may run on into the next one. */
  readonly last: number;
  /** The list in which what it shows as matched stands, by these numbers. */
  readonly hits: WordHits;
}

/** A line that answers a plan. */
export interface MatchedLine extends ShownLine {
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
  /** The line that is looked at, and the numbers of the hits of the next one into which it runs on. */
  readonly #line: { -readonly [Of in keyof ShownLine]: ShownLine[Of] } = { number: 0, last: 0, hits: this.#hits, from: 0, to: 0 };
  readonly #inNext: number[] = [];
  /** First words of what is shown with a line before. */
  readonly #shownBefore = new Set<number>();
  readonly #coverageOf: (hits: WordHits, range: HitRange) => number;

  constructor({ plan, matcher, wantedOfText }: Asked) {
    this.#plan = plan;
    this.#matcher = matcher;
    this.#finder = new HitFinder(matcher);
    this.#coverageOf = measureCoverage(plan, wantedOfText);
  }

  /** The lines that can be shown as one match each, in order; good until the next call. */
  find(words: Int32Array, of: WordsOf): MatchedLine[] {
    const lines: MatchedLine[] = [];
    this.#eachLine(words, of, (line) => lines.push({ ...line, coverage: this.#coverageOf(line.hits, line) }));
    return lines;
  }

  /** How many lines `find` finds, how many words it looks at for that, and the coverage of each line; no coverages where all are the same. */
  count(words: Int32Array, of: WordsOf): { lines: number; hits: number; coverages?: readonly number[] } {
    const { concepts } = this.#plan;
    // A single word never runs over into the next line.
    if (concepts.length === 1 && concepts[0]?.alternatives.every(({ tokens }) => tokens.length === 1)) {
      const lines = countLinesHolding(words, this.#matcher.significant, acceptedIn(of));
      return { lines, hits: lines };
    }
    const coverages: number[] = [];
    let hits = 0;
    this.#eachLine(words, of, (line) => {
      coverages.push(this.#coverageOf(line.hits, line));
      hits += line.to - line.from;
    });
    return { lines: coverages.length, coverages, hits };
  }

  /** Gives one line after the other to `take`, each in the place of the one before: of a thousand films all lines go through here. */
  #eachLine(words: Int32Array, of: WordsOf, take: (line: ShownLine) => void): void {
    this.#finder.find(words, of, this.#hits);
    this.#joined.clear();
    this.#shownBefore.clear();
    for (let from = 0, to = 0; from < this.#hits.length; from = to) {
      to = this.#endOfLine(from);
      if (this.#isShown(from, to)) take(this.#line);
    }
  }

  /** The number of the first hit behind those that begin in the same line. */
  #endOfLine(from: number): number {
    let to = from + 1;
    while (to < this.#hits.length && this.#hits.line(to) === this.#hits.line(from)) to++;
    return to;
  }

  /** Puts down what the hits of a line show; whether they show anything: all that is significant in it may be shown with the line before. */
  #isShown(from: number, to: number): boolean {
    const [hits, line, inNext] = [this.#hits, this.#line, this.#inNext];
    const last = this.#lastLine(from, to);
    inNext.length = 0;
    if (last === undefined) this.#runOn(from, to);
    const isShown =
      this.#holdsSignificant(from, to) || (inNext.length > 0 && inNext.some((n) => isSignificant(hits.concept(n), this.#plan)));
    for (const n of inNext) this.#shownBefore.add(hits.from(n));
    if (!isShown) return false;
    line.number = hits.line(from);
    if (inNext.length > 0) this.#join(from, to);
    else {
      line.last = last ?? line.number;
      line.hits = hits;
      line.from = from;
      line.to = to;
    }
    return true;
  }

  /** Whether any of these hits is significant and not shown with a line before. */
  #holdsSignificant(from: number, to: number): boolean {
    for (let n = from; n < to; n++)
      if (isSignificant(this.#hits.concept(n), this.#plan) && !this.#shownBefore.has(this.#hits.from(n))) return true;
    return false;
  }

  /** The line in which a phrase ends that begins in this one; undefined when none runs over its border. */
  #lastLine(from: number, to: number): number | undefined {
    for (let n = from; n < to; n++) if (this.#hits.endLine(n) !== this.#hits.line(n)) return this.#hits.endLine(n);
    return undefined;
  }

  /** Puts down the numbers of the hits of the next line into which the words of this one run on in the order in which they were asked for. */
  #runOn(from: number, to: number): void {
    const [hits, inNext] = [this.#hits, this.#inNext];
    for (let [before, n] = [to - 1, to]; n < hits.length; n++) {
      if (hits.from(n) > hits.to(before) || (inNext[0] !== undefined && hits.line(n) !== hits.line(inNext[0]))) break;
      const goesOn = hits.from(n) === hits.to(before) && hits.concept(n) === hits.concept(before) + 1 && hits.endLine(n) === hits.line(n);
      if (!goesOn) continue;
      inNext.push(n);
      before = n;
    }
    const isEnough = inNext.length > 0 && this.#runAtEnd(from, to) + inNext.length >= Math.min(3, this.#plan.concepts.length);
    if (!isEnough) inNext.length = 0;
  }

  /** How many asked words in their order end the line. */
  #runAtEnd(from: number, to: number): number {
    const hits = this.#hits;
    let count = 1;
    for (let n = to - 1; n > from; n--) {
      if (hits.concept(n - 1) !== hits.concept(n) - 1 || hits.to(n - 1) !== hits.from(n)) break;
      count++;
    }
    return count;
  }

  /** Puts down that a line is shown together with the words of the next one into which it runs on. */
  #join(from: number, to: number): void {
    const [hits, joined, line] = [this.#hits, this.#joined, this.#line];
    line.hits = joined;
    line.from = joined.length;
    for (let n = from; n < to; n++) joined.addOf(hits, n);
    for (const n of this.#inNext) {
      joined.addOf(hits, n);
      line.last = hits.line(n);
    }
    line.to = joined.length;
  }
}

/** The coverage from which on a line of a film is a match, by those of all its lines, kind by kind: where none has a fair share of what is asked, the highest. */
export function leastCoverageOf(coverages: readonly (readonly number[])[]): number {
  let most = 0;
  for (const some of coverages) for (let n = 0; n < some.length; n++) most = Math.max(most, some[n] ?? 0);
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
    for (let n = 0; n < wantedOfText.length; n++) most = Math.max(most, weigh(wantedOfText[n] ?? []) / (whole[n] || 1));
    return most;
  };
}
