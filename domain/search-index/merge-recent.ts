import type { Table } from '@lancedb/lancedb';
import { forgetFileSizes, sweepParts } from '../files/index-state.ts';
import { discardOldFiles } from '../files/publish-index.ts';
import type { StoredRow } from './index-row.ts';
import { addRows, joinFiles, nameMainTable, nameRecentTable, type TableKind } from './index-tables.ts';
import { commitTables, type IndexWriter, openShelves, tablesOf } from './index-writer.ts';
import { readIndexedRows } from './indexed-rows.ts';
import { writeNextPart } from './write-parts.ts';

/** Rows that whoever searches keeps in memory without minding, nearly two kilobytes each; and the most of them. */
const [recentRowsMin, recentRowsMax] = [10_000, 100_000];

/**
 * Whether the recent tables have grown so large that they should join the main ones; sooner when there is nothing else to do.
 * To join them means to write the main tables anew, so their share decides: a growing archive is not indexed over and over.
 */
export function shouldMerge({ state }: Pick<IndexWriter, 'state'>, { idle }: { idle: boolean }): boolean {
  const share = idle ? state.mainRows / 50 : state.mainRows / 4;
  return state.recentRows >= Math.min(recentRowsMax, Math.max(recentRowsMin, share));
}

const wastedRowsMin = 20_000;

/** Whether most of the words beside the tables are of rows that are gone, so that the index should be built anew when there is time. */
export function shouldRebuild({ state: { rowWords, mainRows, recentRows } }: Pick<IndexWriter, 'state'>): boolean {
  return rowWords.rows - wastedRowsMin > 2 * (mainRows + recentRows);
}

/** Moves the rows of the recent tables into the main ones. Readers see the old tables until the last step. */
export async function mergeRecent(writer: IndexWriter): Promise<IndexWriter> {
  const { copy, connection, state } = writer;
  const { recent } = await openShelves(writer);
  for (const kind of ['passages', 'heads'] as const) {
    await copyRows(writer, { kind, from: recent[kind] });
    await joinFiles(connection, nameMainTable(kind), { isNew: false });
  }
  const parts = await writeNextPart({ folder: copy.folder, state }, { shelf: recent, number: state.recent + 1 });
  const { main } = await openShelves(writer);
  const mainRows = (await main.passages?.countRows()) ?? 0;
  const merged = await commitTables(writer, { mainRows, recentRows: 0, recent: state.recent + 1, parts });
  // Searches that began before may still read the last ones; whoever opens the index next removes what is left.
  for (const kind of ['passages', 'heads'] as const) {
    const previous = nameRecentTable(kind, { recent: state.recent - 1 });
    if ((await connection.tableNames()).includes(previous)) await connection.dropTable(previous);
  }
  await sweepParts(copy.folder, merged.state.generation, [state, merged.state]);
  return merged;
}

/**
 * Joins small files, and removes those that only earlier versions of the tables used: no version that counts now, and none
 * of the last minute, for the searches that are under way.
 */
export async function cleanIndex(writer: IndexWriter): Promise<IndexWriter> {
  await forgetFileSizes(writer.copy.folder, writer.state);
  for (const table of tablesOf(await openShelves(writer))) {
    const versions = await table.listVersions();
    const counting = versions.find(({ version }) => version === writer.state.versions[table.name]);
    const since = Math.min(Date.now() - 60_000, counting?.timestamp.getTime() ?? 0);
    // What a killed writer began belongs to no version, and nobody else writes now.
    await table.optimize({ cleanupOlderThan: new Date(since), deleteUnverified: true });
  }
  const cleaned = await commitTables(writer);
  await discardOldFiles(cleaned.copy, cleaned.state);
  return cleaned;
}

const rowsPerCopy = 20_000;

async function copyRows({ connection }: IndexWriter, { kind, from }: { kind: TableKind; from: Table | null }): Promise<void> {
  if (!from) return;
  const name = nameMainTable(kind);
  let waiting: StoredRow[] = [];
  for await (const rows of readIndexedRows(from)) {
    waiting.push(...rows);
    if (waiting.length < rowsPerCopy) continue;
    await addRows(connection, { name, rows: waiting });
    waiting = [];
  }
  await addRows(connection, { name, rows: waiting });
}
