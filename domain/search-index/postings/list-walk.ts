import { rowsPerBlock, timesMax } from './part-file.ts';
import type { PostingList } from './posting-list.ts';

/** Rows that are looked at together: the scores of so many stay close to the processor. */
export const rowsOfWindow = 1 << 14;

const groupBits = 6;
const rowsOfGroup = 1 << groupBits;

/** The scores of the rows of a window. */
export class WindowScores {
  readonly scores = new Float64Array(rowsOfWindow);
  /** 1 for each group of rows of which some have a score: to note that costs less than to note the row. */
  readonly groups = new Uint8Array(rowsOfWindow / rowsOfGroup);

  /** Puts the rows that have a score, and one above `least`, into `rows`, in order; how many they are. */
  above(least: number, rows: Int32Array): number {
    const { scores, groups } = this;
    const bound = Math.max(0, least);
    let count = 0;
    for (let group = 0; group < groups.length; group++) {
      if (groups[group] === 0) continue;
      const end = (group + 1) * rowsOfGroup;
      for (let n = group * rowsOfGroup; n < end; n++) if ((scores[n] ?? 0) > bound) rows[count++] = n;
    }
    return count;
  }

  /** Of `count` rows, keeps those whose scores are above `least`; how many they are. */
  keepAbove(least: number, rows: Int32Array, count: number): number {
    let kept = 0;
    for (let n = 0; n < count; n++) if ((this.scores[rows[n] ?? 0] ?? 0) > least) rows[kept++] = rows[n] ?? 0;
    return kept;
  }

  /** Makes all scores 0. */
  clear(): void {
    for (let group = 0; group < this.groups.length; ) {
      if (this.groups[group] === 0) {
        group++;
        continue;
      }
      const from = group;
      while (group < this.groups.length && this.groups[group] === 1) this.groups[group++] = 0;
      this.scores.fill(0, from * rowsOfGroup, group * rowsOfGroup);
    }
  }
}

/** What the rows of a part come to. */
export interface RowWeights {
  /** How many words each row has. */
  readonly lengths: Uint16Array;
  /** What a word comes to before it is weighed, for each number of times and each length up to, but not, `stride`. */
  readonly shares: Float64Array;
  readonly stride: number;
}

/** What a word comes to that stands so often in a row, before it is weighed. */
export function shareIn({ lengths, shares, stride }: RowWeights, row: number, times: number): number {
  return shares[Math.min(times, timesMax) * stride + (lengths[row] ?? 0)] ?? 0;
}

/** Goes through the list of a word, window by window. */
export class ListWalk {
  readonly #list: PostingList;
  readonly #weight: number;
  readonly #of: RowWeights;
  readonly #rows = new Int32Array(rowsPerBlock);
  readonly #times = new Uint8Array(rowsPerBlock);
  #count = 0;
  /** The block that was read last. */
  #read = -1;
  /** The first block that may have rows of the window. */
  #first = 0;
  /** The first row of the window, and the first behind it. */
  #from = 0;
  #to = 0;
  /** What none of the rows of the window comes above. */
  most = 0;

  constructor(list: PostingList, { weight, of }: { weight: number; of: RowWeights }) {
    this.#list = list;
    this.#weight = weight;
    this.#of = of;
  }

  /** Goes on to the rows from one up to, but not, another. */
  moveTo(from: number, to: number): void {
    const { lastRows } = this.#list;
    this.#from = from;
    this.#to = to;
    while (this.#first < this.#list.blocks && (lastRows[this.#first] ?? 0) < from) this.#first++;
    let most = 0;
    for (let block = this.#first; this.#isInWindow(block); block++) most = Math.max(most, this.#list.most(block));
    this.most = most * this.#weight;
  }

  /** Adds what the word comes to in the rows of the window, but for blocks that come to `least` at most together with `others`. */
  addTo(into: WindowScores, { others, least }: { others: number; least: number }): void {
    const { scores, groups } = into;
    const [rows, times, from, to, weight] = [this.#rows, this.#times, this.#from, this.#to, this.#weight];
    const { lengths, shares, stride } = this.#of;
    for (let block = this.#first; this.#isInWindow(block); block++) {
      if (this.#list.most(block) * this.#weight + others <= least) continue;
      this.#readBlock(block);
      const count = this.#count;
      let n = 0;
      while (n < count && (rows[n] ?? 0) < from) n++;
      for (; n < count; n++) {
        const row = rows[n] ?? 0;
        if (row >= to) break;
        const at = row - from;
        scores[at] = (scores[at] ?? 0) + weight * (shares[(times[n] ?? 0) * stride + (lengths[row] ?? 0)] ?? 0);
        groups[at >>> groupBits] = 1;
      }
    }
  }

  /** Adds what the word comes to in some rows of the window alone, which are in order. */
  addToSome(into: WindowScores, some: Int32Array, count: number): void {
    const { lastRows } = this.#list;
    let block = this.#first;
    let n = 0;
    for (let one = 0; one < count; one++) {
      const row = (some[one] ?? 0) + this.#from;
      while (block < this.#list.blocks && (lastRows[block] ?? 0) < row) block++;
      if (block === this.#list.blocks) return;
      if (this.#read !== block) {
        this.#readBlock(block);
        n = 0;
      }
      while (n > 0 && (this.#rows[n] ?? 0) > row) n--;
      while (n < this.#count && (this.#rows[n] ?? 0) < row) n++;
      if (this.#rows[n] !== row || n >= this.#count) continue;
      const at = row - this.#from;
      into.scores[at] = (into.scores[at] ?? 0) + this.#weight * shareIn(this.#of, row, this.#times[n] ?? 0);
    }
  }

  #isInWindow(block: number): boolean {
    return block < this.#list.blocks && (block === this.#first || (this.#list.lastRows[block - 1] ?? 0) + 1 < this.#to);
  }

  #readBlock(block: number): void {
    if (this.#read === block) return;
    this.#count = this.#list.readRows(block, this.#rows);
    this.#list.readTimes(this.#times, this.#count);
    this.#read = block;
  }
}
