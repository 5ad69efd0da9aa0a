import type { TableKind } from '../index-tables.ts';
import { type AskedRows, filmOfRow, type Offering, windowsOf } from './best-rows.ts';
import { type RowWeights, shareIn } from './list-walk.ts';
import { rowsPerBlock } from './part-file.ts';
import type { PostingList } from './posting-list.ts';
import type { Part } from './read-part.ts';

/**
 * Offers the rows of a part in which words stand one after the other, or a single word, by BM25 as if they were one word: it stands nowhere
 * more often than any of them, so rows, and blocks of rows, in which one of them comes to too little are passed over.
 */
export async function offerPhraseRows(
  part: Part,
  { kind, codes, weight, allows, ranges }: AskedRows & { kind: TableKind; codes: readonly number[]; weight: number },
  { best, giveWay }: Offering,
): Promise<void> {
  const of = part.rows[kind];
  const firstRows = part.films.firstRows[kind];
  const walks = new Map<number, PositionWalk>();
  for (const code of new Set(codes)) {
    const list = part.list(kind, code);
    if (!list) return;
    walks.set(code, new PositionWalk(list, of));
  }
  const inOrder = [...walks.values()].sort((a, b) => a.length - b.length);
  const [rarest] = inOrder;
  if (!rarest) return;
  const words = codes
    .map((code, position) => ({ walk: walks.get(code) ?? rarest, position }))
    .sort((a, b) => a.walk.length - b.walk.length);
  const rarestTwo = inOrder.slice(0, 2);
  const within = { least: 0, end: 0 };
  for (const { from, to } of windowsOf(ranges)) {
    within.end = to;
    for (let row = from; ; row++) {
      within.least = best.least / weight;
      row = commonRowOf(rarestTwo, row, within);
      if (row === to) break;
      const times = words.length > 1 ? countRuns(words, row, within) : rarest.times;
      const score = weight * shareIn(of, row, times);
      if (times === 0 || score <= best.least) continue;
      const film = filmOfRow(firstRows, row);
      if (allows(film)) best.take({ offset: part.offsetOf(kind, { row, film }), score });
    }
    const pause = giveWay();
    if (pause) await pause;
  }
}

interface RowsWithin {
  /** Each word has to come to more, before it is weighed. */
  readonly least: number;
  /** The first row behind them. */
  readonly end: number;
}

/** The first row from this one on in which all of these words stand; `end` where there is none. */
function commonRowOf(walks: readonly PositionWalk[], from: number, within: RowsWithin): number {
  let row = from;
  for (let agreed = 0, n = 0; agreed < walks.length && row < within.end; n = (n + 1) % walks.length) {
    const next = walks[n]?.rowFrom(row, within) ?? within.end;
    agreed = next === row ? agreed + 1 : 1;
    row = next;
  }
  return row;
}

/** How often these words, of which each has its position in a run, stand in a row. The rarest come first: where they do not follow one another, the others are not looked for. */
function countRuns(words: readonly { readonly walk: PositionWalk; readonly position: number }[], row: number, within: RowsWithin): number {
  let count = -1;
  for (const { walk, position } of words) {
    if (!walk.isAt(row) && walk.rowFrom(row, within) !== row) return 0;
    walk.readPositions();
    count = count < 0 ? noteStarts(walk, position) : keepStarts(walk, { position, count });
    if (count === 0) break;
  }
  return count;
}

/** Where runs may begin in the row. */
let starts = new Int32Array(64);

function noteStarts({ positions, times }: PositionWalk, position: number): number {
  if (starts.length < times) starts = new Int32Array(2 * times);
  for (let n = 0; n < times; n++) starts[n] = (positions[n] ?? 0) - position;
  return times;
}

/** Of `count` starts keeps those of runs in which the word has its position; how many they are. */
function keepStarts({ positions, times }: PositionWalk, { position, count }: { position: number; count: number }): number {
  let kept = 0;
  for (let n = 0, one = 0; n < times && one < count; n++) {
    const start = (positions[n] ?? 0) - position;
    while (one < count && (starts[one] ?? 0) < start) one++;
    if (one < count && starts[one] === start) starts[kept++] = start;
  }
  return kept;
}

/** Goes through the list of a word of a phrase, row by row. */
class PositionWalk {
  readonly #list: PostingList;
  readonly #of: RowWeights;
  /** The block that was read last: its rows, and, once that is asked for, how often the word stands in each, up to `timesMax`. */
  #block = -1;
  readonly #rows = new Int32Array(rowsPerBlock);
  #count = 0;
  #isWeighed = false;
  readonly #weighed = new Uint8Array(rowsPerBlock);
  /** The row of the block that is looked at. */
  #at = 0;
  /** Whether the positions of the block were brought; how many stand before those of each row then, and in all. */
  #hasPositions = false;
  readonly #before = new Int32Array(rowsPerBlock + 1);
  /** Whether each position of the block takes one byte; of others, how many were read. */
  #isPlain = false;
  #positionsRead = 0;
  /** The row of the block whose positions stand in `positions`. */
  #positionsOf = -1;
  /** Where the word stands in the row that was read last, in order: the first `times` of them. */
  positions = new Int32Array(16);

  constructor(list: PostingList, of: RowWeights) {
    this.#list = list;
    this.#of = of;
  }

  /** How many rows hold the word. */
  get length(): number {
    return this.#list.length;
  }

  /** The first row from this one on in which the word comes to more than `least`, before it is weighed; `end` where there is none before. */
  rowFrom(row: number, { least, end }: RowsWithin): number {
    const { lastRows, blocks } = this.#list;
    for (let block = Math.max(0, this.#block); block < blocks; block++) {
      if ((lastRows[block] ?? 0) < row) continue;
      if (block !== this.#block) {
        if (block > 0 && (lastRows[block - 1] ?? 0) + 1 >= end) return end;
        if (this.#list.most(block) <= least) continue;
        this.#readBlock(block);
      }
      const next = this.#rowOfBlock(row, least);
      if (next >= 0) return Math.min(next, end);
    }
    return end;
  }

  /** Whether `rowFrom` found this row last. */
  isAt(row: number): boolean {
    return this.#at < this.#count && this.#rows[this.#at] === row;
  }

  /** How often the word stands in the row that `rowFrom` found; of one whose positions were not read up to `timesMax`. */
  get times(): number {
    if (this.#positionsOf === this.#at) return (this.#before[this.#at + 1] ?? 0) - (this.#before[this.#at] ?? 0);
    this.#weigh();
    return this.#weighed[this.#at] ?? 0;
  }

  /** Reads where the word stands in the row that `rowFrom` found. */
  readPositions(): void {
    if (this.#positionsOf === this.#at) return;
    if (!this.#hasPositions) this.#bringPositions();
    const before = this.#before[this.#at] ?? 0;
    const times = (this.#before[this.#at + 1] ?? 0) - before;
    if (this.positions.length < times) this.positions = new Int32Array(2 * times);
    if (this.#isPlain) this.#list.readPlainPositions(this.positions, times, before);
    else {
      this.#list.readPositions(this.positions, times, before - this.#positionsRead);
      this.#positionsRead = before + times;
    }
    this.#positionsOf = this.#at;
  }

  /** The first row of the block from this one on in which the word comes to more than `least`; -1 where there is none. */
  #rowOfBlock(row: number, least: number): number {
    const { lengths, shares, stride } = this.#of;
    const [rows, times, count] = [this.#rows, this.#weighed, this.#count];
    let at = this.#at;
    while (at < count && (rows[at] ?? 0) < row) at++;
    if (least > 0) {
      this.#weigh();
      while (at < count && (shares[(times[at] ?? 0) * stride + (lengths[rows[at] ?? 0] ?? 0)] ?? 0) <= least) at++;
    }
    this.#at = at;
    return at < count ? (rows[at] ?? 0) : -1;
  }

  #readBlock(block: number): void {
    this.#count = this.#list.readRows(block, this.#rows);
    this.#block = block;
    this.#at = 0;
    this.#isWeighed = false;
    this.#hasPositions = false;
    this.#positionsOf = -1;
  }

  #weigh(): void {
    if (!this.#isWeighed) this.#list.readTimes(this.#weighed, this.#count);
    this.#isWeighed = true;
  }

  #bringPositions(): void {
    this.#weigh();
    const [list, before, count] = [this.#list, this.#before, this.#count];
    list.sumTimes(this.#weighed, count, before);
    this.#isPlain = before[count] === list.positionBytesOf(this.#block);
    list.bringPositions(this.#block);
    this.#hasPositions = true;
    this.#positionsRead = 0;
  }
}
