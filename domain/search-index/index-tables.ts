import { join } from 'node:path';
import { type Connection, connect, Index, Session, type Table } from '@lancedb/lancedb';
import { Table as ArrowTable, Utf8, vectorFromArray } from 'apache-arrow';
import type { IndexState } from '../files/index-state.ts';
import { indexSchema, type StoredRow } from './index-row.ts';
import './lancedb-settings.ts';

/** The two tables of a shelf: passages, and one head row per video. Absent until their first row. */
export interface Shelf {
  readonly passages: Table | null;
  readonly heads: Table | null;
}

export type TableKind = keyof Shelf;

/** Of a cache of tables, what describes them: their versions, fragments and columns. The rest is for their word indexes. */
const describingShare = 0.1;
/** Enough for whoever writes the tables. */
const writersCacheBytes = 100_000_000;

/** A cache for the tables of whoever keeps it: opened anew after each batch, they find there what has not changed. */
export function openTableCache(bytes: number): Session {
  const describing = Math.floor(bytes * describingShare);
  return new Session(BigInt(bytes - describing), BigInt(describing));
}

/** Opens the folder of one generation of tables. */
export async function connectIndex(
  folder: string,
  generation: string,
  cache: Session = openTableCache(writersCacheBytes),
): Promise<Connection> {
  return await connect(join(folder, generation), { session: cache });
}

/** The name of a main table, the same in every generation. */
export const mainTableName = (kind: TableKind) => kind;
/** The name of a recent table: another one each time the recent tables have joined the main ones. */
export const recentTableName = (kind: TableKind, state: Pick<IndexState, 'recent'>) => `recent-${state.recent}-${kind}`;

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

/** Brings the word index of a main table up to its rows: an unindexed row slows every query down. */
export async function indexTable(connection: Connection, name: string): Promise<void> {
  const table = await openTable(connection, name);
  if (!table) return;
  if ((await table.listIndices()).length === 0) {
    // Before there is an index, joining many small files costs little; later every row in it would get another number.
    await table.optimize();
    await table.createIndex('text', { config: wordIndex() });
    // Only now does nothing need the small files any more.
    await table.optimize({ cleanupOlderThan: new Date() });
    return;
  }
  await table.optimize({ cleanupOlderThan: keepsEveryVersion });
}

/** Left to itself, `optimize` removes what is a week old: perhaps the version that readers use. */
const keepsEveryVersion = new Date(0);

/** The rows hold folded words parted by blanks; the index must neither split nor drop any. */
const wordIndex = () =>
  Index.fts({
    withPosition: true,
    baseTokenizer: 'whitespace',
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    maxTokenLength: 255,
  });
