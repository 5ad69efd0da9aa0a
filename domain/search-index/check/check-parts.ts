import type { Table } from '@lancedb/lancedb';
import { goneVideoAt } from '../index-row.ts';
import type { TableKind } from '../index-tables.ts';
import { readPlacedRows } from '../indexed-rows.ts';
import type { Parts } from '../postings/parts.ts';
import { addToChecksum, type RowsChecksum } from './row-checksums.ts';

interface LookedAt {
  readonly kind: TableKind;
  readonly table: Table;
  /** Whether its rows have yet to join the parts. */
  readonly isRecent: boolean;
}

/** How many films have other rows in the parts than in the main tables, or rows in one of them alone. Throws `UnreadableIndex`. */
export async function countMislaid(parts: Parts, tables: readonly LookedAt[]): Promise<number> {
  const wanted = new Map<string, RowsChecksum>();
  for (const looked of tables) {
    for await (const { video, offset } of readPlacedRows(looked.table)) {
      if (looked.isRecent) parts.leave([goneVideoAt(offset) ?? video]);
      else wanted.set(video, addToChecksum(wanted.get(video), placeKey(looked.kind, offset)));
    }
  }
  let mislaid = 0;
  for (const { id, head, passages } of parts.allFilms()) {
    const keys = [placeKey('heads', head), ...passages.map((offset) => placeKey('passages', offset))];
    const found = keys.reduce<RowsChecksum | undefined>(addToChecksum, undefined);
    const should = wanted.get(id);
    wanted.delete(id);
    if (found?.rows !== should?.rows || found?.low !== should?.low || found?.high !== should?.high) mislaid++;
  }
  return mislaid + wanted.size;
}

function placeKey(kind: TableKind, offset: number): string {
  return `${kind} ${offset}`;
}
