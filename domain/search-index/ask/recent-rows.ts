import type { Table } from '@lancedb/lancedb';
import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import type { IndexQuestion } from '../index-question.ts';
import { goneVideoAt } from '../index-row.ts';
import { BestScores } from '../postings/best-scores.ts';
import { CodePostings, nowhere, type Posting } from '../postings/gathered-words.ts';
import { lengthLossOf, shareOfTimes, weightOfWord } from '../postings/weigh-words.ts';
import type { RowWords, RowWordsReader } from '../read-row-words.ts';
import { makeConditionTest, type RowCondition } from '../row-condition.ts';
import { holdsPhraseAt, toWordCode } from '../word-code.ts';
import type { FoundRow } from './found-row.ts';

const fragmentedRowsMin = 10_000;

interface RecentRow extends RowWords {
  readonly offset: number;
  readonly createdMs: number;
  readonly publishedMs: number;
}

/**
 * The rows of a recent table, in memory: they are few, change with every batch, and asking a table costs as much for ten rows
 * as for a million. They are found by the codes of their words.
 */
export class RecentRows {
  readonly #rows: (RecentRow | undefined)[] = [];
  readonly #numbers = new Map<number, number>();
  /** Where the latest row of each video stands. */
  readonly #latest = new Map<string, number>();
  /** Videos that have left the archive. One that came again has a row as well. */
  readonly #gone = new Set<string>();
  readonly #postings = new CodePostings();
  /** How many words each row has, by the numbers of rows. */
  readonly #lengths: number[] = [];
  #words = 0;
  /** For one search after the other, by the numbers of rows: all zero between them. */
  #scores = new Float64Array(0);

  /** Takes in the rows of a later version of the table, and lets those go that are no longer there. */
  async follow(table: Table, reader: Pick<RowWordsReader, 'ahead'>): Promise<void> {
    const read = reader.ahead();
    const found = await table.query().select(['offset', 'createdMs', 'publishedMs']).toArrow();
    const [offsets, created, published] = ['offset', 'createdMs', 'publishedMs'].map((name) => found.getChild(name)?.toArray());
    const isThere = new Uint8Array(this.#rows.length);
    const { numRows } = found;
    const slice = new SearchTimeSlice();
    for (let n = 0; n < numRows; n++) {
      const offset = Number(offsets?.[n]);
      const left = goneVideoAt(offset);
      if (left !== undefined) {
        this.#gone.add(left);
        continue;
      }
      const number = this.#numbers.get(offset);
      if (number === undefined)
        this.#add({ ...read(offset), offset, createdMs: Number(created?.[n]), publishedMs: Number(published?.[n]) });
      else isThere[number] = 1;
      if (slice.isOver) await slice.next();
    }
    for (const [number, is] of isThere.entries()) if (is === 0) this.#remove(number);
  }

  /** The rows that answer a question, best first: its `limit` by the words, and by each of the phrases. */
  find({ words, others, phrases, only, limit }: IndexQuestion): FoundRow[] {
    const asked = [...words, ...others].map((word) => [toWordCode(word)]);
    const ways = [asked, ...phrases.map((phrase) => [phrase.map(toWordCode)])];
    return ways.flatMap((anyOf) => this.#best(anyOf, { only, limit }));
  }

  /** Where the latest row of a video stands, in bytes; undefined when it has none. */
  offsetOf(video: string): number | undefined {
    return this.#latest.get(video);
  }

  /** The videos of which older rows count no more: those that have one here, and those that have left. */
  *replaced(): Generator<string> {
    yield* this.#latest.keys();
    yield* this.#gone;
  }

  #best(anyOf: readonly (readonly number[])[], { only, limit }: { only: RowCondition | undefined; limit: number }): FoundRow[] {
    const meets = makeConditionTest(only ?? {});
    const best = new BestScores(limit);
    const holding = this.#score(anyOf);
    /** Of the rows that hold a word; 0 where a row is too weak or does not meet the condition. */
    const scores = new Float64Array(holding.length);
    for (let n = 0; n < holding.length; n++) {
      const number = holding[n] ?? 0;
      const score = this.#scores[number] ?? 0;
      this.#scores[number] = 0;
      // Nearly all of many are too weak, and are not looked at.
      if (score < best.least) continue;
      const row = this.#rows[number];
      if (!row || !meets(row)) continue;
      scores[n] = score;
      best.offer(score);
    }
    const found: FoundRow[] = [];
    for (let n = 0; n < holding.length; n++) {
      const score = scores[n] ?? 0;
      const row = score > 0 && score >= best.least ? this.#rows[holding[n] ?? 0] : undefined;
      if (!row) continue;
      const { video, kind, language, isPlayable, words, offset } = row;
      found.push({ video, kind, language, isPlayable, words, offset, score });
    }
    return found.sort((a, b) => b.score - a.score || a.offset - b.offset).slice(0, limit);
  }

  /** The rows that hold any of these, some of them gone; how well each does by BM25, with each run of words as one word, is put down. */
  #score(anyOf: readonly (readonly number[])[]): number[] {
    if (this.#scores.length < this.#rows.length) this.#scores = new Float64Array(this.#rows.length * 2);
    const scores = this.#scores;
    const found: number[] = [];
    const rows = this.#numbers.size;
    const meanLength = this.#words / Math.max(1, rows);
    for (const codes of anyOf) {
      const holding = this.#holding(codes);
      const weight = weightOfWord(rows, holding.length);
      for (let n = 0; n < holding.length; n++) {
        const [number, times] = [holding.row(n), holding.times(n)];
        const loss = lengthLossOf(this.#lengths[number] ?? 0, meanLength);
        if (!scores[number]) found.push(number);
        scores[number] = (scores[number] ?? 0) + weight * shareOfTimes(times, loss);
      }
    }
    return found;
  }

  /** The rows, some of them gone, that hold these words one after the other; more than one word counts once for each row. */
  #holding(codes: readonly number[]): Posting {
    const postings = codes.map((code) => this.#postings.of(code));
    const [rarest = nowhere] = postings.toSorted((a, b) => a.length - b.length);
    if (codes.length === 1) return rarest;
    const numbers = Array.from({ length: rarest.length }, (_, n) => rarest.row(n)).filter((number) => {
      const row = this.#rows[number];
      return row !== undefined && holdsRun(row.words, codes);
    });
    return { length: numbers.length, row: (n) => numbers[n] ?? 0, times: () => 1 };
  }

  /** Whether most of what is kept are rows that are gone. */
  get isFragmented(): boolean {
    return this.#rows.length > 2 * this.#numbers.size + fragmentedRowsMin;
  }

  #add(row: RecentRow): void {
    const number = this.#rows.length;
    const length = this.#postings.add(number, row.words);
    this.#rows.push(row);
    this.#numbers.set(row.offset, number);
    this.#latest.set(row.video, row.offset);
    this.#lengths.push(length);
    this.#words += length;
  }

  #remove(number: number): void {
    const row = this.#rows[number];
    if (!row) return;
    this.#words -= this.#lengths[number] ?? 0;
    this.#rows[number] = undefined;
    this.#numbers.delete(row.offset);
    // Its successor came before it went.
    if (this.#latest.get(row.video) === row.offset) this.#latest.delete(row.video);
  }
}

function holdsRun(words: Int32Array, codes: readonly number[]): boolean {
  for (let at = words.indexOf(codes[0] ?? 0); at >= 0; at = words.indexOf(codes[0] ?? 0, at + 1))
    if (holdsPhraseAt(words, codes, at)) return true;
  return false;
}
