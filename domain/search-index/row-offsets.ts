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
    const fragments = new Map<number, { offsets: Float64Array; rows: number }>();
    const slice = new SearchTimeSlice();
    // Batch by batch: all of them at once would take the memory of several such lists.
    for await (const rows of table.query().select(['offset']).withRowId()) {
      const [ids, values] = [rows.getChild('_rowid')?.data ?? [], rows.getChild('offset')?.data ?? []];
      for (const [n, part] of ids.entries()) addOffsets(fragments, rowIdHalves(part.values), values[n]?.values);
      if (slice.isOver) await slice.next();
    }
    // What only earlier versions had is dropped, and so is room for rows that a fragment does not have.
    for (const known of fragments.values()) known.offsets = known.offsets.slice(0, known.rows);
    this.#fragments = new Map([...fragments].map(([fragment, { offsets }]) => [fragment, offsets]));
  }
}

function addOffsets(fragments: Map<number, { offsets: Float64Array; rows: number }>, ids: Uint32Array, values: unknown): void {
  if (!(values instanceof Float64Array)) throw new Error('not a column of offsets');
  for (let n = 0; n < values.length; n++) {
    const [row = 0, fragment = 0] = [ids[2 * n], ids[2 * n + 1]];
    const known = fragments.get(fragment) ?? { offsets: new Float64Array(0), rows: 0 };
    fragments.set(fragment, known);
    if (known.offsets.length <= row) {
      const larger = new Float64Array(Math.max(1_024, row + 1, known.offsets.length * 2)).fill(Number.NaN);
      larger.set(known.offsets);
      known.offsets = larger;
    }
    known.offsets[row] = values[n] ?? Number.NaN;
    known.rows = Math.max(known.rows, row + 1);
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
    const offsets = new Map<number, number>();
    const slice = new SearchTimeSlice();
    for await (const rows of heads.query().select(['video', 'offset'])) {
      const [video, offset] = [rows.getChild('video'), rows.getChild('offset')];
      for (let n = 0; n < rows.numRows; n++) {
        offsets.set(idNumber(String(video?.get(n))), Number(offset?.get(n)));
        if (slice.isOver) await slice.next();
      }
    }
    this.#ids = Float64Array.from(offsets.keys()).sort();
    this.#offsets = this.#ids.map((id) => offsets.get(id) ?? Number.NaN);
  }
}

/** Ten hexadecimal digits fit into a number. */
function idNumber(id: string): number {
  return Number.parseInt(id, 16);
}
