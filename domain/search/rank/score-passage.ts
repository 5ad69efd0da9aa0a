import type { RowWords } from '../../search-index/read-row-words.ts';
import { lineEndCode } from '../../search-index/word-code.ts';
import { acceptedIn } from '../match/film-hits.ts';
import { findWordHits } from '../match/find-word-hits.ts';
import { planMatcher } from '../match/plan-matcher.ts';
import { weighAdjacency } from '../match/weigh-adjacency.ts';
import { WordHits } from '../match/word-hits.ts';
import { isExactFit, type SearchPlan, significantConcepts } from '../query/search-plan.ts';
import { lackingFit, ofPassage } from '../weights.ts';

/** How near to each other all the concepts stand: in one line, within three, in one passage; or some are lacking. */
export const nearness = { lacking: 0, passage: 1, neighbours: 2, line: 3 } as const;

export interface PassageScore {
  readonly score: number;
  readonly nearness: number;
  /** Whether the very words that were asked for stand that near to each other. */
  readonly isExact: boolean;
  /** Best fit of each concept anywhere in the passage, 0 where it is lacking; of another passage after the next call. */
  readonly fits: Float64Array;
}

type Meets = (fit: number, concept: number) => boolean;

/** Scores one passage after the other by the best place in it: the line around which most of what is asked for stands close together. */
export class PassageScorer {
  readonly #plan: SearchPlan;
  readonly #wanted: readonly number[];
  readonly #conceptCount: number;
  readonly #hits = new WordHits();
  #lineCount = 0;
  /** Best fit of each concept in each line, line by line. */
  #byLine = new Float64Array(0);
  /** Best fit of each concept anywhere, and all of its fits together. */
  readonly #whole: Float64Array;
  readonly #sums: Float64Array;

  constructor(plan: SearchPlan) {
    this.#plan = plan;
    this.#wanted = significantConcepts(plan);
    this.#conceptCount = plan.concepts.length;
    this.#whole = new Float64Array(this.#conceptCount);
    this.#sums = new Float64Array(this.#conceptCount);
  }

  score({ words, ...of }: Pick<RowWords, 'words' | 'kind' | 'language'>): PassageScore {
    findWordHits(words, planMatcher(this.#plan).all, { into: this.#hits, accepts: acceptedIn(of) });
    this.#lineCount = linesOf(words);
    this.#noteFits();
    let best = this.#scoreBestLine();
    for (let n = 0; n < this.#conceptCount; n++)
      best += (this.#plan.concepts[n]?.weight ?? 0) * ofPassage.repeated * (1 - 1 / (1 + Math.max(0, (this.#sums[n] ?? 0) - 1)));
    const near = this.#nearness((fit) => fit > lackingFit);
    const isExact = near >= nearness.neighbours && this.#nearness((fit, n) => isExactFit(this.#plan, n, fit)) >= nearness.neighbours;
    return { score: best, nearness: near, isExact, fits: this.#whole };
  }

  #noteFits(): void {
    const size = this.#lineCount * this.#conceptCount;
    if (this.#byLine.length < size) this.#byLine = new Float64Array(size);
    else this.#byLine.fill(0, 0, size);
    this.#whole.fill(0);
    this.#sums.fill(0);
    for (let n = 0; n < this.#hits.length; n++) {
      const [concept, fit] = [this.#hits.concept(n), this.#hits.fit(n)];
      const at = this.#hits.line(n) * this.#conceptCount + concept;
      this.#byLine[at] = Math.max(this.#byLine[at] ?? 0, fit);
      this.#whole[concept] = Math.max(this.#whole[concept] ?? 0, fit);
      this.#sums[concept] = (this.#sums[concept] ?? 0) + fit;
    }
  }

  /** The best fit of a concept in a line; 0 outside of the passage. */
  #fitIn(line: number, concept: number): number {
    return line >= 0 && line < this.#lineCount ? (this.#byLine[line * this.#conceptCount + concept] ?? 0) : 0;
  }

  #scoreBestLine(): number {
    let [best, hit] = [0, 0];
    for (let line = 0; line < this.#lineCount; line++) {
      const from = hit;
      while (hit < this.#hits.length && this.#hits.line(hit) === line) hit++;
      best = Math.max(best, this.#scoreLine(line) + weighAdjacency(this.#hits, this.#plan, { from, to: hit }));
    }
    return best;
  }

  #scoreLine(line: number): number {
    let score = 0;
    for (let n = 0; n < this.#conceptCount; n++) {
      let most = (this.#whole[n] ?? 0) * ofPassage.elsewhere;
      for (let distance = 0; most > 0 && distance < ofPassage.lines.length; distance++) {
        const fit = Math.max(this.#fitIn(line - distance, n), this.#fitIn(line + distance, n));
        most = Math.max(most, (ofPassage.lines[distance] ?? 0) * fit);
      }
      score += (this.#plan.concepts[n]?.weight ?? 0) * most;
    }
    return score;
  }

  #nearness(meets: Meets): number {
    if (!this.#wanted.every((n) => meets(this.#whole[n] ?? 0, n))) return nearness.lacking;
    const has = (line: number, n: number) => meets(this.#fitIn(line, n), n);
    let best: number = nearness.passage;
    for (let line = 0; line < this.#lineCount; line++) {
      if (this.#wanted.every((n) => has(line, n))) return nearness.line;
      if (this.#wanted.every((n) => has(line - 1, n) || has(line, n) || has(line + 1, n))) best = nearness.neighbours;
    }
    return best;
  }
}

function linesOf(words: Int32Array): number {
  let lines = 0;
  for (const code of words) if (code === lineEndCode) lines++;
  return lines;
}
