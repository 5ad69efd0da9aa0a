import type { TableKind } from '../index-tables.ts';
import { videoOfNumber } from '../video-number.ts';
import { bytesPerCode } from '../word-code.ts';
import type { ChunkCache } from './chunk-cache.ts';
import type { RowWeights } from './list-walk.ts';
import { PartFile, timesMax } from './part-file.ts';
import { PostingList, type ReadChunk } from './posting-list.ts';
import { shareOfTimes } from './weigh-words.ts';
import type { PartFilm } from './write-part.ts';

/** The rows of one kind in a part, and the words that they hold. */
interface PartRows extends RowWeights {
  /** Rows that count for how rare a word is. */
  readonly count: number;
  readonly codes: Int32Array;
  readonly starts: Float64Array;
  readonly counts: Uint32Array;
}

/** The films of a part, in the order of the file of words. */
export interface PartFilms {
  /** Their ids as numbers. */
  readonly ids: Float64Array;
  readonly createdMs: Float64Array;
  readonly publishedMs: Float64Array;
  /** Where the rows of each kind begin that a film has, and those of the next. */
  readonly firstRows: Readonly<Record<TableKind, Uint32Array>>;
  /** 1 where a later part, or the recent rows, know a film better, or that it has left. */
  readonly isGone: Uint8Array;
}

/** A part that is open: lists stay in the file, everything else is in memory, about 80 bytes a film, 6 a passage and 16 a word. */
export class Part {
  readonly number: number;
  readonly films: PartFilms;
  readonly rows: Readonly<Record<TableKind, PartRows>>;
  readonly #file: PartFile;
  readonly #readChunk: ReadChunk;
  readonly #heads: Float64Array;
  readonly #offsets: Uint32Array;
  /** The films by their ids. */
  readonly #byId: Uint32Array;

  constructor(number: number, path: string, cache?: ChunkCache) {
    this.number = number;
    this.#file = new PartFile(path, cache);
    const file = this.#file;
    this.#readChunk = (n) => file.chunk(n);
    this.#heads = file.doubles('films.heads');
    this.#offsets = file.counts('passages.places');
    const ids = file.doubles('films.ids');
    this.#byId = file.counts('films.byId');
    this.films = {
      ids,
      createdMs: file.doubles('films.createdMs'),
      publishedMs: file.doubles('films.publishedMs'),
      firstRows: { passages: file.counts('films.firstPassages'), heads: Uint32Array.from({ length: ids.length + 1 }, (_, n) => n) },
      isGone: new Uint8Array(ids.length),
    };
    this.rows = { passages: rowsOf(file, 'passages'), heads: rowsOf(file, 'heads') };
  }

  /** How many rows hold a word. */
  holding(kind: TableKind, code: number): number {
    const { codes, counts } = this.rows[kind];
    const n = findCode(codes, code);
    return n < 0 ? 0 : (counts[n] ?? 0);
  }

  /** The list of a word; undefined where no row holds it. What reads it throws `WordsClosed`. */
  list(kind: TableKind, code: number): PostingList | undefined {
    const { codes, starts, counts } = this.rows[kind];
    const n = findCode(codes, code);
    if (n < 0) return undefined;
    return new PostingList(this.#readChunk, { start: starts[n] ?? 0, length: counts[n] ?? 0 });
  }

  /** Where a row of a film stands in the file of words, in bytes. */
  offsetOf(kind: TableKind, { row, film }: { row: number; film: number }): number {
    const head = this.#heads[film] ?? 0;
    return kind === 'heads' ? head : head + (this.#offsets[row] ?? 0) * bytesPerCode;
  }

  /** Where the head of a film stands; undefined where it has left the archive. */
  headOf(film: number): number | undefined {
    const head = this.#heads[film];
    return head === undefined || Number.isNaN(head) ? undefined : head;
  }

  /** Every film that has not gone since, with where its passages stand. */
  *allRows(): Generator<PartFilm & { readonly passages: readonly number[] }> {
    const { ids, createdMs, publishedMs, firstRows, isGone } = this.films;
    for (const [film, id] of ids.entries()) {
      if (isGone[film] === 1) continue;
      const [first = 0, end = 0] = [firstRows.passages[film], firstRows.passages[film + 1]];
      yield {
        id: videoOfNumber(id),
        head: this.headOf(film),
        createdMs: createdMs[film] ?? 0,
        publishedMs: publishedMs[film] ?? 0,
        passages: Array.from({ length: end - first }, (_, n) => this.offsetOf('passages', { row: first + n, film })),
      };
    }
  }

  /** The number of a film here, by its id as a number; -1 where it has none. */
  filmOf(id: number): number {
    const { ids } = this.films;
    let [low, high] = [0, this.#byId.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ids[this.#byId[middle] ?? 0] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    const film = this.#byId[low] ?? -1;
    return ids[film] === id ? film : -1;
  }

  close(): void {
    this.#file.close();
  }
}

function rowsOf(file: PartFile, kind: TableKind): PartRows {
  const lengths = file.shorts(`${kind}.lengths`);
  const losses = file.doubles(`${kind}.losses`);
  const stride = losses.length;
  return {
    lengths,
    shares: Float64Array.from({ length: (timesMax + 1) * stride }, (_, n) => shareOfTimes(Math.floor(n / stride), losses[n % stride] ?? 0)),
    stride,
    count: lengths.length,
    codes: file.codes(`${kind}.codes`),
    starts: file.doubles(`${kind}.starts`),
    counts: file.counts(`${kind}.counts`),
  };
}

/** Where a code stands among rising ones; -1 where it does not. */
function findCode(codes: Int32Array, code: number): number {
  let [low, high] = [0, codes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((codes[middle] ?? 0) < code) low = middle + 1;
    else high = middle;
  }
  return codes[low] === code ? low : -1;
}
