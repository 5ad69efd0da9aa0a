import { join } from 'node:path';
import { type Connection, connect, Session, type Table } from '@lancedb/lancedb';
import { Table as ArrowTable, Utf8, vectorFromArray } from 'apache-arrow';
import type { IndexState } from '../files/index-state.ts';
import { indexSchema, type StoredRow } from './index-row.ts';

/** The two tables of a shelf: passages, and one head row per video. Absent until their first row. */
export interface Shelf {
  readonly passages: Table | null;
  readonly heads: Table | null;
}

export type TableKind = keyof Shelf;

/** What a connection keeps of its tables, which have no indexes. */
const keptBytes = { ofIndexes: 1_000_000n, ofVersions: 10_000_000n };

/** Opens the folder of one generation of tables. */
export async function connectIndex(folder: string, generation: string): Promise<Connection> {
  return await connect(join(folder, generation), { session: new Session(keptBytes.ofIndexes, keptBytes.ofVersions) });
}

/** The name of a main table, the same in every generation. */
export const nameMainTable = (kind: TableKind) => kind;
/** The name of a recent table: another one each time the recent tables have joined the main ones. */
export const nameRecentTable = (kind: TableKind, state: Pick<IndexState, 'recent'>) => `recent-${state.recent}-${kind}`;

/** A table in its latest version; null when nothing was added to it yet. */
export async function openTable(connection: Connection, name: string): Promise<Table | null> {
  return (await connection.tableNames()).includes(name) ? await connection.openTable(name) : null;
}

/** A table as it was in one of its versions; throws when that is gone. What the writer does meanwhile is not seen. */
export async function openTableAt(connection: Connection, { name, version }: { name: string; version: number }): Promise<Table> {
  const table = await connection.openTable(name);
  await table.checkout(version);
  return table;
}

/** Adds rows to a table that may not exist yet. */
export async function addRows(connection: Connection, { name, rows }: { name: string; rows: readonly StoredRow[] }): Promise<void> {
  if (rows.length === 0) return;
  const data = arrowOf(rows);
  const table = await openTable(connection, name);
  if (table) await table.add(data);
  else await connection.createTable(name, data, { schema: indexSchema });
}

/** Column by column: from objects, LanceDB takes twice as long. */
function arrowOf(rows: readonly StoredRow[]): ArrowTable {
  const texts = (column: 'video' | 'kind' | 'text') =>
    vectorFromArray(
      rows.map((row) => row[column]),
      new Utf8(),
    );
  const numbers = (column: 'createdMs' | 'publishedMs' | 'offset') => vectorFromArray(Float64Array.from(rows, (row) => row[column]));
  return new ArrowTable(indexSchema, {
    video: texts('video'),
    kind: texts('kind'),
    createdMs: numbers('createdMs'),
    publishedMs: numbers('publishedMs'),
    offset: numbers('offset'),
    text: texts('text'),
  });
}

/** Joins the small files of a main table, so that its rows are soon read; `isNew` where nobody reads an earlier version of it. */
export async function joinFiles(connection: Connection, name: string, { isNew }: { isNew: boolean }): Promise<void> {
  const table = await openTable(connection, name);
  // Left to itself it removes what is a week old: perhaps the version that readers use.
  await table?.optimize({ cleanupOlderThan: new Date(0) });
  // Only now does nothing need the small files any more.
  if (isNew) await table?.optimize({ cleanupOlderThan: new Date() });
}
