import type { Connection } from '@lancedb/lancedb';
import type { Pool } from '../db/database.ts';
import { type IndexState, indexFilesAreWhole, isIndexDamageNoted, readIndexState, writeIndexState } from '../files/index-state.ts';
import { countIndexedVideos, findIndexedBatch } from './find-videos-to-index.ts';
import { indexFormat } from './index-row.ts';
import { connectIndex, mainTableName, openTable, recentTableName, type Shelf } from './index-tables.ts';

/** What a change of the index works on. Only the process that holds the writer's lock may have one. */
export interface IndexWriter {
  readonly pool: Pool;
  /** The index folder of the archive. */
  readonly folder: string;
  readonly connection: Connection;
  readonly state: IndexState;
}

/** Opens the index for changes; null when it is missing, damaged, of another format or does not fit the database. */
export async function openIndexWriter(pool: Pool, folder: string): Promise<IndexWriter | null> {
  const state = await readIndexState(folder);
  if (!state || state.format !== indexFormat || (await isIndexDamageNoted(folder))) return null;
  const batch = await findIndexedBatch(pool);
  if (state.batch > batch || state.mainBatch > batch || !(await indexFilesAreWhole(folder, state))) return null;
  try {
    const connection = await connectIndex(folder, state.generation);
    const recovered = await dropUncountedRows({ pool, folder, connection, state }, batch);
    return (await headsFitDatabase(recovered)) ? recovered : null;
  } catch {
    // Whatever a table fails with here, the answer is to build the index anew from the database.
    return null;
  }
}

export async function openShelves({ connection, state }: IndexWriter): Promise<{ main: Shelf; recent: Shelf }> {
  return {
    main: { passages: await openTable(connection, mainTableName('passages')), heads: await openTable(connection, mainTableName('heads')) },
    recent: {
      passages: await openTable(connection, recentTableName('passages', state)),
      heads: await openTable(connection, recentTableName('heads', state)),
    },
  };
}

export function tablesOf({ main, recent }: { main: Shelf; recent: Shelf }) {
  return [main.passages, main.heads, recent.passages, recent.heads].filter((table) => table !== null);
}

/** A writer that was killed leaves rows that the database knows nothing of, or a state older than its rows. */
async function dropUncountedRows(writer: IndexWriter, batch: number): Promise<IndexWriter> {
  const { main, recent } = await openShelves(writer);
  for (const table of [main.passages, main.heads]) {
    if (table && (await table.countRows(`batch > ${writer.state.mainBatch}`)) > 0) await table.delete(`batch > ${writer.state.mainBatch}`);
  }
  for (const table of [recent.passages, recent.heads]) {
    if (table && (await table.countRows(`batch > ${batch}`)) > 0) await table.delete(`batch > ${batch}`);
  }
  if (writer.state.batch === batch) return writer;
  const state = { ...writer.state, batch };
  await writeIndexState(writer.folder, state);
  return { ...writer, state };
}

async function headsFitDatabase(writer: IndexWriter): Promise<boolean> {
  const { main, recent } = await openShelves(writer);
  const heads = ((await main.heads?.countRows()) ?? 0) + ((await recent.heads?.countRows()) ?? 0);
  const { atLeast, atMost } = await countIndexedVideos(writer.pool);
  return heads >= atLeast && heads <= atMost;
}
