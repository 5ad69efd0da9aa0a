import type { TableKind } from '../index-tables.ts';
import { BestScores } from './best-scores.ts';
import { ListWalk, rowsOfWindow, WindowScores } from './list-walk.ts';
import type { Part } from './read-part.ts';

export interface WeighedWord {
  readonly code: number;
  readonly weight: number;
}

/** A row that stands somewhere in the file of words, in bytes. */
export interface ScoredRow {
  readonly offset: number;
  readonly score: number;
}

/** The best of many rows, so many of them; of equal ones the first that came. */
export class BestRows {
  readonly #limit: number;
  readonly #best: BestScores;
  #rows: ScoredRow[] = [];

  constructor(limit: number) {
    this.#limit = limit;
    this.#best = new BestScores(limit);
  }

  /** A row has to come above it. */
  get least(): number {
    return this.#best.least;
  }

  /** Whether none was left out. */
  get isAll(): boolean {
    return this.#rows.length < this.#limit;
  }

  take(row: ScoredRow): void {
    this.#best.offer(row.score);
    this.#rows.push(row);
    if (this.#rows.length > 4 * this.#limit) this.#rows = this.inOrder();
  }

  inOrder(): ScoredRow[] {
    return this.#rows.sort((a, b) => b.score - a.score || a.offset - b.offset).slice(0, this.#limit);
  }
}

/** All zero between windows, so that whoever looks at one may use it. */
const window = new WindowScores();
const candidates = new Int32Array(rowsOfWindow);

/** Rows from one up to, but not, another. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Which rows of a part may answer. */
export interface AskedRows {
  /** Whether those of a film may, by its number in the part. */
  readonly allows: (film: number) => boolean;
  /** All that may lie in these, which are in order. */
  readonly ranges: readonly RowRange[];
}

export interface Offering {
  readonly best: BestRows;
  /** Lets others go on between windows where it is their turn; throws `SearchTimeout` when it has taken too long. */
  readonly giveWay: () => Promise<void> | undefined;
}

/**
 * Offers the rows of a part that hold any of the words, by BM25. Rows are looked at some ten thousand at a time; words that cannot lift a
 * row among the best any more are looked up in those alone that others lift (MaxScore: Turtle and Flood, "Query evaluation: strategies and
 * optimizations", 1995; in windows as Lucene does it).
 */
export async function offerRows(
  part: Part,
  { kind, words, allows, ranges }: AskedRows & { kind: TableKind; words: readonly WeighedWord[] },
  { best, giveWay }: Offering,
): Promise<void> {
  const of = part.rows[kind];
  const walks = words.flatMap(({ code, weight }) => {
    const list = part.list(kind, code);
    return list ? [new ListWalk(list, { weight, of })] : [];
  });
  const firstRows = part.films.firstRows[kind];
  for (const { from } of walks.length > 0 ? windowsOf(ranges) : []) {
    const count = scoreWindow(walks, from, best.least);
    let film = count > 0 ? filmOfRow(firstRows, from + (candidates[0] ?? 0)) : 0;
    for (let n = 0; n < count; n++) {
      const row = from + (candidates[n] ?? 0);
      const score = window.scores[candidates[n] ?? 0] ?? 0;
      while ((firstRows[film + 1] ?? row + 1) <= row) film++;
      if (score > best.least && allows(film)) best.take({ offset: part.offsetOf(kind, { row, film }), score });
    }
    window.clear();
    const pause = giveWay();
    if (pause) await pause;
  }
}

/** The windows in which these rows lie, in order. */
export function* windowsOf(ranges: readonly RowRange[]): Generator<RowRange> {
  let next = 0;
  for (const { from, to } of ranges)
    for (let row = Math.max(next, from - (from % rowsOfWindow)); row < to; row += rowsOfWindow) {
      yield { from: row, to: row + rowsOfWindow };
      next = row + rowsOfWindow;
    }
}

/** Gives the rows of a window their scores, where these may be above `least`; how many candidates are. */
function scoreWindow(walks: readonly ListWalk[], from: number, least: number): number {
  for (const walk of walks) walk.moveTo(from, from + rowsOfWindow);
  const inOrder = walks.filter(({ most }) => most > 0).sort((a, b) => b.most - a.most);
  /** What the words come to at most that have not been looked at. */
  let left = inOrder.reduce((sum, { most }) => sum + most, 0);
  const all = left;
  if (left <= least) return 0;
  let next = 0;
  for (; left > least && next < inOrder.length; next++) {
    const walk = inOrder[next];
    if (!walk) break;
    walk.addTo(window, { others: all - walk.most, least });
    left -= walk.most;
  }
  let count = window.above(least - left, candidates);
  // No row is among the best that holds none of the words before.
  for (const walk of inOrder.slice(next)) {
    walk.addToSome(window, candidates, count);
    left -= walk.most;
    count = window.keepAbove(least - left, candidates, count);
  }
  return window.keepAbove(least, candidates, count);
}

/** The number of the film that a row belongs to: the last one whose rows begin there or before. */
export function filmOfRow(firstRows: Uint32Array, row: number): number {
  let [low, high] = [0, firstRows.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((firstRows[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
