import { wordCode } from '../word-code.ts';
import { BestScores, CodePostings, nowhere, type Posting } from './code-postings.ts';
import type { IndexQuestion } from './index-question.ts';

/** As LanceDB weighs them: how soon a word's repetition stops to tell, and how much the length of a row does. */
const [saturation, lengthShare] = [1.2, 0.75];

/** A row by its number, and how well it answers. */
export interface WeighedRow {
  readonly number: number;
  readonly score: number;
}

/** Which rows may answer, and whether one of them, which holds all of these words, holds them one after the other. */
export interface RowTests {
  readonly mayAnswer: (number: number) => boolean;
  readonly holdsRun: (number: number, codes: readonly number[]) => boolean;
}

/** Rows by the codes of their words, numbered as they come and weighed by BM25. What they say is kept by whoever asks. */
export class WeighedRows {
  readonly #postings = new CodePostings();
  /** How many words each row has, by the numbers of rows. */
  readonly #lengths: number[] = [];
  #words = 0;
  #count = 0;
  /** For one search after the other, by the numbers of rows: all zero between them. */
  #scores = new Float64Array(0);

  /** Takes a row in and tells its number. */
  add(codes: Int32Array): number {
    const number = this.#lengths.length;
    const length = this.#postings.add(number, codes);
    this.#lengths.push(length);
    this.#words += length;
    this.#count++;
    return number;
  }

  /** Counts a row no more; whoever asks says that it may not answer. */
  remove(number: number): void {
    this.#words -= this.#lengths[number] ?? 0;
    this.#count--;
  }

  /** The rows that answer a question, best first: its `limit` by the words, and by each of the phrases. */
  find({ words, others, phrases, limit }: IndexQuestion, tests: RowTests): WeighedRow[] {
    const asked = [...words, ...others].map((word) => [wordCode(word)]);
    const ways = [asked, ...phrases.map((phrase) => [phrase.map(wordCode)])];
    return ways.flatMap((anyOf) => this.#best(anyOf, { ...tests, limit }));
  }

  #best(anyOf: readonly (readonly number[])[], { mayAnswer, holdsRun, limit }: RowTests & { limit: number }): WeighedRow[] {
    const best = new BestScores(limit);
    const holding = this.#score(anyOf, holdsRun);
    /** Of the rows that hold a word; 0 where a row is too weak or may not answer. */
    const scores = new Float64Array(holding.length);
    for (let n = 0; n < holding.length; n++) {
      const number = holding[n] ?? 0;
      const score = this.#scores[number] ?? 0;
      this.#scores[number] = 0;
      // Nearly all of many are too weak, and are not looked at.
      if (score < best.least || !mayAnswer(number)) continue;
      scores[n] = score;
      best.offer(score);
    }
    const found: WeighedRow[] = [];
    for (let n = 0; n < holding.length; n++) {
      const score = scores[n] ?? 0;
      if (score > 0 && score >= best.least) found.push({ number: holding[n] ?? 0, score });
    }
    return found.sort((a, b) => b.score - a.score || a.number - b.number).slice(0, limit);
  }

  /** The rows that hold any of these, some of them gone; how well each does, with each run of words as one word, is put down. */
  #score(anyOf: readonly (readonly number[])[], holdsRun: RowTests['holdsRun']): number[] {
    if (this.#scores.length < this.#lengths.length) this.#scores = new Float64Array(this.#lengths.length * 2);
    const scores = this.#scores;
    const found: number[] = [];
    const meanLength = this.#words / Math.max(1, this.#count);
    for (const codes of anyOf) {
      const holding = this.#holding(codes, holdsRun);
      const weight = Math.log(1 + Math.max(0.5, this.#count - holding.length + 0.5) / (holding.length + 0.5));
      for (let n = 0; n < holding.length; n++) {
        const [number, times] = [holding.row(n), holding.times(n)];
        const length = (this.#lengths[number] ?? 0) / meanLength;
        const share = (times * (saturation + 1)) / (times + saturation * (1 - lengthShare + lengthShare * length));
        if (!scores[number]) found.push(number);
        scores[number] = (scores[number] ?? 0) + weight * share;
      }
    }
    return found;
  }

  /** The rows, some of them gone, that hold these words one after the other; more than one word counts once for each row. */
  #holding(codes: readonly number[], holdsRun: RowTests['holdsRun']): Posting {
    const postings = codes.map((code) => this.#postings.of(code)).sort((a, b) => a.length - b.length);
    const [rarest = nowhere, ...others] = postings;
    if (codes.length === 1) return rarest;
    const numbers: number[] = [];
    const from = others.map(() => 0);
    for (let n = 0; n < rarest.length; n++) {
      const number = rarest.row(n);
      if (others.every((posting, other) => isAmong(posting, number, { from, other })) && holdsRun(number, codes)) numbers.push(number);
    }
    return { length: numbers.length, row: (n) => numbers[n] ?? 0, times: () => 1 };
  }
}

/** Whether a row is among those of a posting; rows are asked for in order, and `from` tells how far each posting was looked through. */
function isAmong(posting: Posting, number: number, { from, other }: { from: number[]; other: number }): boolean {
  let at = from[other] ?? 0;
  while (at < posting.length && posting.row(at) < number) at++;
  from[other] = at;
  return at < posting.length && posting.row(at) === number;
}
