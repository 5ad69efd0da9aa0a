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
  const walks = new Map<number, PlaceWalk>();
  for (const code of new Set(codes)) {
    const list = part.list(kind, code);
    if (!list) return;
    walks.set(code, new PlaceWalk(list, of));
  }
  const inOrder = [...walks.values()].sort((a, b) => a.length - b.length);
  const [rarest] = inOrder;
  if (!rarest) return;
  const words = codes.flatMap((code) => walks.get(code) ?? []);
  const nextRow = (from: number, end: number) => commonRow(inOrder, from, { least: best.least / weight, end });
  for (const { from, to } of windowsOf(ranges)) {
    for (let row = nextRow(from, to); row < to; row = nextRow(row + 1, to)) {
      const times = words.length > 1 ? countRuns(words, inOrder) : rarest.times;
      const score = weight * shareIn(of, row, times);
      if (times === 0 || score <= best.least) continue;
      const film = filmOfRow(firstRows, row);
      if (allows(film)) best.take({ offset: part.offsetOf(kind, { row, film }), score });
    }
    const turn = giveWay();
    if (turn) await turn;
  }
}

/** The first row from this one on, but before `end`, in which each of these words comes to more than `least`; `end` where there is none. */
function commonRow(walks: readonly PlaceWalk[], from: number, { least, end }: { least: number; end: number }): number {
  let row = from;
  for (let agreed = 0, n = 0; agreed < walks.length && row < end; n = (n + 1) % walks.length) {
    const next = walks[n]?.rowFrom(row, { least, end }) ?? end;
    agreed = next === row ? agreed + 1 : 1;
    row = next;
  }
  return row;
}

/** How often these words stand one after the other in the row that all of them are at. */
function countRuns(words: readonly PlaceWalk[], walks: readonly PlaceWalk[]): number {
  for (const walk of walks) walk.readPlaces();
  const [first] = words;
  let runs = 0;
  for (let n = 0; first && n < first.found; n++) {
    const place = first.places[n] ?? 0;
    let at = 1;
    while (at < words.length && words[at]?.standsAt(place + at) === true) at++;
    if (at === words.length) runs++;
  }
  return runs;
}

/** Goes through the list of a word of a phrase, row by row. */
class PlaceWalk {
  readonly #list: PostingList;
  readonly #of: RowWeights;
  readonly #rows = new Int32Array(rowsPerBlock);
  readonly #weighed = new Uint8Array(rowsPerBlock);
  /** How often the word stands in each row. */
  readonly #times = new Int32Array(rowsPerBlock);
  #count = 0;
  /** The block that stands there, and whether each place of its rows takes one byte. */
  #block = -1;
  #isPlain = false;
  /** The row of the block that is looked at. */
  #at = 0;
  /** The row whose places come next, and where they begin. */
  #placesOf = 0;
  #placesAt = 0;
  /** Where the word stands in the row that was read last: the first `found` of them. */
  places = new Int32Array(16);
  found = 0;

  constructor(list: PostingList, of: RowWeights) {
    this.#list = list;
    this.#of = of;
  }

  /** How many rows hold the word. */
  get length(): number {
    return this.#list.length;
  }

  /** The first row from this one on, but before `end`, in which the word comes to more than `least`, before it is weighed; `end` where there is none. */
  rowFrom(row: number, { least, end }: { least: number; end: number }): number {
    const { lastRows, blocks } = this.#list;
    const { lengths, shares, stride } = this.#of;
    for (let block = Math.max(0, this.#block); block < blocks; block++) {
      if ((lastRows[block] ?? 0) < row) continue;
      if (block > 0 && (lastRows[block - 1] ?? 0) + 1 >= end) return end;
      if (this.#list.most(block) <= least) continue;
      if (block !== this.#block) this.#readBlock(block);
      const [rows, times, count] = [this.#rows, this.#weighed, this.#count];
      for (let at = this.#at; at < count; at++) {
        const next = rows[at] ?? 0;
        if (next >= end) {
          this.#at = at;
          return end;
        }
        if (next < row || (shares[(times[at] ?? 0) * stride + (lengths[next] ?? 0)] ?? 0) <= least) continue;
        this.#at = at;
        return next;
      }
      this.#at = count;
    }
    return end;
  }

  /** How often the word stands in the row that `rowFrom` found. */
  get times(): number {
    return this.#times[this.#at] ?? 0;
  }

  /** Reads where the word stands in the row that `rowFrom` found; once a row. */
  readPlaces(): void {
    let skipped = 0;
    for (let n = this.#placesOf; n < this.#at; n++) skipped += this.#times[n] ?? 0;
    this.found = this.times;
    if (this.places.length < this.found) this.places = new Int32Array(2 * this.found);
    const asked = { from: this.#placesAt, skipped, times: this.found, isPlain: this.#isPlain };
    this.#placesAt = this.#list.readPlaces(this.#block, this.places, asked);
    this.#placesOf = this.#at + 1;
  }

  /** Whether the word stands at a place of the row that was read last. */
  standsAt(place: number): boolean {
    for (let n = 0; n < this.found; n++) if (this.places[n] === place) return true;
    return false;
  }

  #readBlock(block: number): void {
    this.#count = this.#list.read(block, this.#rows, this.#weighed);
    this.#list.countTimes(this.#weighed, this.#count, this.#times);
    this.#block = block;
    let all = 0;
    for (let n = 0; n < this.#count; n++) all += this.#times[n] ?? 0;
    this.#isPlain = all === this.#list.placeBytesOf(block);
    this.#at = 0;
    this.#placesOf = 0;
    this.#placesAt = 0;
  }
}
