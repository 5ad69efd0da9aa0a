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

/** The rows of every word, by the words' codes, packed: four bytes for each word of a row. */
export class CodePostings {
  readonly #lists = new Map<number, { entries: Int32Array; length: number }>();

  /** Puts down the words of a row, by their codes. Rows come with rising numbers. */
  add(row: number, codes: Int32Array): void {
    const sorted = codes.toSorted();
    for (let from = 0; from < sorted.length; ) {
      const code = sorted[from] ?? 0;
      let to = from + 1;
      while (sorted[to] === code) to++;
      this.#put(code, (row << timesBits) | Math.min(to - from, timesMax));
      from = to;
    }
  }

  #put(code: number, entry: number): void {
    const list = this.#lists.get(code) ?? { entries: new Int32Array(2), length: 0 };
    if (list.length === 0) this.#lists.set(code, list);
    if (list.length === list.entries.length) {
      const larger = new Int32Array(list.length * 2);
      larger.set(list.entries);
      list.entries = larger;
    }
    list.entries[list.length++] = entry;
  }

  /** The rows that hold a word. */
  of(code: number): Posting {
    const list = this.#lists.get(code);
    if (!list) return nowhere;
    const { entries, length } = list;
    return {
      length,
      row: (n) => (entries[n] ?? 0) >>> timesBits,
      times: (n) => (entries[n] ?? 0) & timesMax,
    };
  }
}
