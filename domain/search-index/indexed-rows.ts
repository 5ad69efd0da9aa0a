import type { Table } from '@lancedb/lancedb';
import { errorMessageOf } from '../system/error-message.ts';
import { goneVideoAt, type StoredRow } from './index-row.ts';

/** A table of the index cannot be read, or is there no more. */
export class UnreadableIndex extends Error {
  constructor(cause: unknown) {
    super(`The index cannot be read: ${errorMessageOf(cause)}`);
  }
}

/** All rows of a table, a few thousand at a time, in no order that means anything; those that say who has left are none. Throws `UnreadableIndex`. */
export async function* readIndexedRows(table: Table): AsyncGenerator<StoredRow[]> {
  try {
    yield* readRows(table);
  } catch (error) {
    throw new UnreadableIndex(error);
  }
}

async function* readRows(table: Table): AsyncGenerator<StoredRow[]> {
  for await (const found of table.query().select(['video', 'kind', 'createdMs', 'publishedMs', 'text', 'offset'])) {
    const [video, kind, createdMs, publishedMs, text, offset] = ['video', 'kind', 'createdMs', 'publishedMs', 'text', 'offset'].map(
      (name) => found.getChild(name),
    );
    const rows = Array.from({ length: found.numRows }, (_, n) => ({
      video: String(video?.get(n)),
      kind: String(kind?.get(n)),
      createdMs: Number(createdMs?.get(n)),
      publishedMs: Number(publishedMs?.get(n)),
      text: String(text?.get(n)),
      offset: Number(offset?.get(n)),
    }));
    yield rows.filter((row) => goneVideoAt(row.offset) === undefined);
  }
}

/** Where a row stands, without what it says; the offset of one that says who has left is below 0. */
export interface PlacedRow {
  readonly video: string;
  readonly offset: number;
  readonly createdMs: number;
  readonly publishedMs: number;
}

/** Where all rows of a table stand, those that say who has left among them. Throws `UnreadableIndex`. */
export async function* readPlacedRows(table: Table): AsyncGenerator<PlacedRow> {
  try {
    for await (const found of table.query().select(['video', 'offset', 'createdMs', 'publishedMs'])) {
      const [video, offset, created, published] = ['video', 'offset', 'createdMs', 'publishedMs'].map((name) => found.getChild(name));
      for (let n = 0; n < found.numRows; n++)
        yield {
          video: String(video?.get(n)),
          offset: Number(offset?.get(n)),
          createdMs: Number(created?.get(n)),
          publishedMs: Number(published?.get(n)),
        };
    }
  } catch (error) {
    throw new UnreadableIndex(error);
  }
}
