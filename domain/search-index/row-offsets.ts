import type { Table } from '@lancedb/lancedb';
import { SearchTimeSlice } from '../scheduling/search-time-slice.ts';

/**
 * Where the words of a table's rows stand, by the row ids that its searches give: the number of a fragment, and of the row in
 * it. A fragment never changes but for rows that go, so what is known of it holds in later versions too.
 */
export class RowOffsets {
  #fragments: ReadonlyMap<number, Float64Array>;
  #reading: Promise<void> | undefined;

  /** `earlier`: those of an earlier version of the table. */
  constructor(earlier?: RowOffsets) {
    this.#fragments = earlier ? earlier.#fragments : new Map();
  }

  /** Reads the offsets of all rows of a table, in the version in which it is open. Who asks meanwhile waits for the same. */
  read(table: Table): Promise<void> {
    this.#reading ??= this.#readAll(table).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** The offset of a row, in bytes; undefined when it is not known. */
  find(fragment: number, row: number): number | undefined {
    const offset = this.#fragments.get(fragment)?.[row];
    return offset === undefined || Number.isNaN(offset) ? undefined : offset;
  }

  async #readAll(table: Table): Promise<void> {
    const fragments = new Map<number, Float64Array>();
    const rows = await table.query().select(['offset']).withRowId().toArrow();
    const [ids, values] = [rows.getChild('_rowid')?.data ?? [], rows.getChild('offset')?.data ?? []];
    const slice = new SearchTimeSlice();
    for (const [n, batch] of ids.entries()) {
      addOffsets(fragments, rowIdHalves(batch.values), values[n]?.values);
      if (slice.isOver) await slice.next();
    }
    // What only earlier versions had is let go.
    this.#fragments = fragments;
  }
}

function addOffsets(fragments: Map<number, Float64Array>, ids: Uint32Array, values: unknown): void {
  if (!(values instanceof Float64Array)) throw new Error('not a column of offsets');
  for (let n = 0; n < values.length; n++) {
    const [row = 0, fragment = 0] = [ids[2 * n], ids[2 * n + 1]];
    let known = fragments.get(fragment);
    if (!known || known.length <= row) {
      const larger = new Float64Array(Math.max(1_024, row + 1, (known?.length ?? 0) * 2)).fill(Number.NaN);
      if (known) larger.set(known);
      fragments.set(fragment, larger);
      known = larger;
    }
    known[row] = values[n] ?? Number.NaN;
  }
}

/** A column of row ids, 64 bits each, as their halves: the number of the row in its fragment, and then that of the fragment. */
export function rowIdHalves(values: unknown): Uint32Array {
  if (!(values instanceof BigUint64Array)) throw new Error('not a column of row ids');
  return new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
}

/**
 * Where the records of films stand, by the heads of the main table: 16 bytes a film. Later versions of the table only lose rows until
 * it is joined with the recent one: what is known of it holds as long.
 */
export class FilmOffsets {
  /** Of the films, by their ids as numbers, in order. */
  #ids = new Float64Array(0);
  #offsets = new Float64Array(0);
  #reading: Promise<void> | undefined;

  /** Reads the offsets of all films of the table, the first time that it is called. */
  read(heads: Table): Promise<void> {
    this.#reading ??= this.#readAll(heads).catch((error: unknown) => {
      this.#reading = undefined;
      throw error;
    });
    return this.#reading;
  }

  /** Where the head of a film stands, in bytes; undefined when the table has none. A film that has left the table since may still have its offset. */
  find(id: string): number | undefined {
    const number = idNumber(id);
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ids[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    return this.#ids[low] === number ? this.#offsets[low] : undefined;
  }

  async #readAll(heads: Table): Promise<void> {
    const rows = await heads.query().select(['video', 'offset']).toArrow();
    const [video, offset] = [rows.getChild('video'), rows.getChild('offset')];
    const offsets = new Map<number, number>();
    const slice = new SearchTimeSlice();
    for (let n = 0; n < rows.numRows; n++) {
      offsets.set(idNumber(String(video?.get(n))), Number(offset?.get(n)));
      if (slice.isOver) await slice.next();
    }
    this.#ids = Float64Array.from(offsets.keys()).sort();
    this.#offsets = this.#ids.map((id) => offsets.get(id) ?? Number.NaN);
  }
}

/** Ten hexadecimal digits fit into a number. */
function idNumber(id: string): number {
  return Number.parseInt(id, 16);
}
