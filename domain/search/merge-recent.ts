import type { Table } from '@lancedb/lancedb';
import { writeIndexState } from '../files/index-state.ts';
import type { IndexRow } from './index-row.ts';
import { addRows, indexTable, mainTableName, recentTableName, type TableKind } from './index-tables.ts';
import { type IndexWriter, openShelves, tablesOf } from './index-writer.ts';

const recentRowsMin = 4_000;
const recentRowsIdle = 2_000;

/** Whether the recent tables have grown so large that they should join the main ones; sooner when there is nothing else to do. */
export function shouldMerge({ state }: IndexWriter, { idle }: { idle: boolean }): boolean {
  // A quarter of the main table, so that a growing archive is not indexed over and over.
  return state.recentRows >= (idle ? recentRowsIdle : Math.max(recentRowsMin, state.mainRows / 4));
}

/** Moves the rows of the recent tables into the main ones. Readers see the old tables until the last step. */
export async function mergeRecent(writer: IndexWriter): Promise<IndexWriter> {
  const { connection, folder, state } = writer;
  const { recent } = await openShelves(writer);
  for (const kind of ['passages', 'heads'] as const) {
    await copyRows(writer, { kind, from: recent[kind] });
    await indexTable(connection, mainTableName(kind));
  }
  const { main } = await openShelves(writer);
  const merged = {
    ...state,
    mainBatch: state.batch,
    mainRows: (await main.passages?.countRows()) ?? 0,
    recentRows: 0,
    recent: state.recent + 1,
  };
  await writeIndexState(folder, merged);
  // Searches that began before may still read them; whoever opens the index next sweeps what is left.
  for (const kind of ['passages', 'heads'] as const) {
    const previous = recentTableName(kind, { recent: state.recent - 1 });
    if ((await connection.tableNames()).includes(previous)) await connection.dropTable(previous);
  }
  return { ...writer, state: merged };
}

/** Removes files that only earlier versions of the tables used. A search that is under way keeps its version for a minute. */
export async function cleanIndex(writer: IndexWriter): Promise<void> {
  for (const table of tablesOf(await openShelves(writer))) await table.optimize({ cleanupOlderThan: new Date(Date.now() - 60_000) });
  await writeIndexState(writer.folder, writer.state);
}

const rowsPerCopy = 20_000;

async function copyRows({ connection }: IndexWriter, { kind, from }: { kind: TableKind; from: Table | null }): Promise<void> {
  if (!from) return;
  const total = await from.countRows();
  for (let offset = 0; offset < total; offset += rowsPerCopy) {
    const found = await from
      .query()
      .select(['video', 'kind', 'createdMs', 'publishedMs', 'batch', 'text'])
      .limit(rowsPerCopy)
      .offset(offset)
      .toArrow();
    const rows: IndexRow[] = [];
    for (const row of found) {
      rows.push({
        video: String(row.video),
        kind: String(row.kind),
        createdMs: Number(row.createdMs),
        publishedMs: Number(row.publishedMs),
        batch: Number(row.batch),
        text: String(row.text),
      });
    }
    await addRows(connection, { name: mainTableName(kind), rows });
  }
}
