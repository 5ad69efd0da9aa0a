import { lineEndCode } from '../word-code.ts';
import { CodeTable, growInts, NumberLists } from './code-lists.ts';

/** Codes from one up to, but not, another. */
export interface CodeRange {
  readonly from: number;
  readonly to: number;
}

/** Hears where a word stands, position by position: in which row, and the how manieth word of that row it is, from 0. */
export type PositionListener = (row: number, position: number) => void;

/**
 * Where every word stands, as bytes: for each position a varint with how much further it is than the one before in its row, doubled; where a
 * new row begins, first one with how much further that row is, doubled, and one more.
 */
export class GatheredWords {
  readonly #table = new CodeTable();
  readonly #lists = new NumberLists((length) => new Uint8Array(length));
  /** Of each list: the row and the position that came last. */
  #rows = new Int32Array(1_024);
  #positions = new Int32Array(1_024);

  /** Puts down the words of a row that lie in a range; how many the row has in all. Rows come with rising numbers. */
  add(row: number, codes: Int32Array, { from, to }: CodeRange): number {
    let words = 0;
    for (let n = 0; n < codes.length; n++) {
      const code = codes[n] ?? 0;
      if (code === lineEndCode) continue;
      if (code >= from && code < to) this.#put(code, row, words);
      words++;
    }
    return words;
  }

  codes(): Int32Array {
    return this.#table.codes();
  }

  /** Tells of every position of a word, in order. */
  positionsOf(code: number, listener: PositionListener): void {
    const { values, from, to } = this.#lists.range(this.#table.numberOf(code));
    let [row, position] = [-1, -1];
    for (let at = from; at < to; ) {
      let byte = values[at++] ?? 0;
      let value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = values[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      if ((value & 1) === 1) {
        row += value >>> 1;
        position = -1;
      } else {
        position += value >>> 1;
        listener(row, position);
      }
    }
  }

  #put(code: number, row: number, position: number): void {
    const list = this.#table.numberFor(code);
    if (list === this.#lists.count) this.#begin();
    const before = this.#rows[list] ?? 0;
    if (row !== before) {
      this.#putVarint(list, (row - before) * 2 + 1);
      this.#rows[list] = row;
      this.#positions[list] = -1;
    }
    this.#putVarint(list, (position - (this.#positions[list] ?? 0)) * 2);
    this.#positions[list] = position;
  }

  #begin(): void {
    const list = this.#lists.count;
    this.#lists.begin();
    if (list === this.#rows.length) {
      this.#rows = growInts(this.#rows);
      this.#positions = growInts(this.#positions);
    }
    this.#rows[list] = -1;
  }

  #putVarint(list: number, value: number): void {
    let rest = value;
    while (rest > 127) {
      this.#lists.add(list, (rest & 127) | 128);
      rest >>>= 7;
    }
    this.#lists.add(list, rest);
  }
}

const timesBits = 6;
const timesMax = (1 << timesBits) - 1;

/** In which rows a word stands, and how often in each: rows in the order in which they came. */
export interface Posting {
  readonly length: number;
  row(n: number): number;
  times(n: number): number;
}

/** Of a word that no row holds. */
export const nowhere: Posting = { length: 0, row: () => 0, times: () => 0 };

/** The rows of every word, by the words' codes: four bytes for each word of a row. */
export class CodePostings {
  readonly #table = new CodeTable();
  readonly #lists = new NumberLists((length) => new Int32Array(length));
  /** The latest entry of each list. */
  #latest = new Int32Array(1_024);

  /** Puts down the words of a row, by their codes; how many they are. Rows come with rising numbers. */
  add(row: number, codes: Int32Array): number {
    let words = 0;
    for (let n = 0; n < codes.length; n++) {
      const code = codes[n] ?? 0;
      if (code === lineEndCode) continue;
      this.#put(code, row);
      words++;
    }
    return words;
  }

  /** The rows that hold a word. */
  of(code: number): Posting {
    const list = this.#table.numberOf(code);
    if (list < 0) return nowhere;
    const { values, from, to } = this.#lists.range(list);
    return {
      length: to - from,
      row: (n) => (values[from + n] ?? 0) >>> timesBits,
      times: (n) => (values[from + n] ?? 0) & timesMax,
    };
  }

  #put(code: number, row: number): void {
    const list = this.#table.numberFor(code);
    if (list === this.#lists.count) this.#begin();
    const latest = this.#latest[list] ?? 0;
    const isRepeated = latest !== 0 && latest >>> timesBits === row;
    if (isRepeated && (latest & timesMax) === timesMax) return;
    const entry = isRepeated ? latest + 1 : (row << timesBits) | 1;
    if (isRepeated) this.#lists.setLast(list, entry);
    else this.#lists.add(list, entry);
    this.#latest[list] = entry;
  }

  #begin(): void {
    if (this.#lists.count === this.#latest.length) this.#latest = growInts(this.#latest);
    this.#lists.begin();
  }
}
