import type { Connection } from '@lancedb/lancedb';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { fetchIndex } from '../files/fetch-index.ts';
import type { IndexCopy } from '../files/index-copy.ts';
import { type IndexList, keepHeldList, LostIndexFile, noList } from '../files/index-list.ts';
import {
  clearIndexDamage,
  hasAllIndexFiles,
  type IndexState,
  isIndexDamageNoted,
  partPathIn,
  readIndexState,
  replaceIndexState,
  sweepIndexFolder,
  sweepParts,
  writeIndexState,
} from '../files/index-state.ts';
import { publishIndex } from '../files/publish-index.ts';
import { countIndexedVideos } from './find-videos-to-index.ts';
import { commitIndexState, findIndexState, isIndexLost } from './index-commit.ts';
import { indexFormat } from './index-row.ts';
import { connectIndex, nameMainTable, nameRecentTable, openTable, openTableAt, type Shelf } from './index-tables.ts';
import { PartFile } from './postings/part-file.ts';

/** What a change of the index works on. Only the process that holds the writer's lock may have one. */
export interface IndexWriter {
  readonly pool: Pool;
  readonly copy: IndexCopy;
  readonly connection: Connection;
  readonly state: IndexState;
}

/**
 * Opens the index for changes; null when it is missing, damaged, of another format or does not fit the database.
 *
 * Every change of the index goes three steps, and may be killed in or between any of them:
 * 1. Tables get new versions, and their files go into the store where other machines read by it. Nobody reads them, and no file of
 *    the version that counts is touched: killed here, the tables go back to the version that counts, and the change is made again
 *    from the database.
 * 2. One transaction counts the words, notes revisions and removals, and says which versions count from now on. It happens
 *    wholly or not at all, so words are counted exactly once.
 * 3. The file of the readers follows. Killed before, they answer by the earlier version until the file is written anew, by the next
 *    opening or by whoever follows the index.
 * Files that no version needs are removed last, tables and generations that the state does not name whenever it is opened.
 */
export async function openIndexWriter(pool: Pool, copy: IndexCopy): Promise<IndexWriter | null> {
  const { folder } = copy;
  const state = await findIndexState(pool);
  if (!state || state.format !== indexFormat || (await isIndexLost(pool, state))) return null;
  const whole = await completeCopy(copy, state);
  if (!whole) return null;
  const read = await readIndexState(folder);
  await sweepIndexFolder(folder, state, read);
  await sweepParts(folder, state.generation, read?.generation === state.generation ? [state, read] : [state]);
  const connection = await connectIndex(folder, state.generation);
  if (!(await canOpen(connection, state)) || !canOpenParts(folder, state)) return null;
  // Before anything is removed that the earlier state still names: searches read by it until now.
  await keepState(copy, state, whole);
  const writer = { pool, copy, connection, state };
  const isMoved = await returnToVersions(connection, state.versions);
  const isElsewhere = copy.store !== null && state.files === null;
  const current = isMoved || isElsewhere ? await commitTables(writer) : writer;
  return (await hasEveryHead(current)) ? current : null;
}

/** Everything that `state` is made of, once all of it lies here; null when that cannot be had. */
async function completeCopy(copy: IndexCopy, state: IndexState): Promise<IndexList | null> {
  const { folder } = copy;
  const isDamaged = await isIndexDamageNoted(folder);
  if (!copy.store || state.files === null) return !isDamaged && (await hasAllIndexFiles(folder, state)) ? noList : null;
  try {
    const { list, count } = await fetchIndex(copy, state, { isSuspect: isDamaged });
    // Files that are what they should be, and still cannot be read.
    if (isDamaged && count === 0) return null;
    await clearIndexDamage(folder);
    return list;
  } catch (error) {
    if (error instanceof LostIndexFile) return null;
    throw error;
  }
}

/** Makes `state` the one that this machine reads by. */
async function keepState(copy: IndexCopy, state: IndexState, list: IndexList): Promise<void> {
  if (!copy.store) return await writeIndexState(copy.folder, state);
  await keepHeldList(copy.folder, state, list);
  await replaceIndexState(copy.folder, state);
}

/**
 * Makes a change of the tables count: its files go into the store first, then one transaction says so, in which `note` writes down
 * what else belongs to it; then this machine reads by it.
 */
export async function commitChange(
  writer: IndexWriter,
  next: IndexState,
  note: (db: Db) => Promise<void> = () => Promise.resolve(),
): Promise<IndexWriter> {
  const { pool, copy } = writer;
  const { state, list } = await publishIndex(copy, { state: next, before: writer.state });
  await inTransaction(pool, async (db) => {
    await note(db);
    await commitIndexState(db, state);
  });
  await keepState(copy, state, list);
  return { ...writer, state };
}

/** Makes changes of the tables count of which the database has nothing to note: rows moved, joined or put back. */
export async function commitTables(writer: IndexWriter, changed: Partial<IndexState> = {}): Promise<IndexWriter> {
  const next = { ...writer.state, ...changed };
  const versions = await versionsOf({ ...writer, state: next });
  return await commitChange(writer, { ...next, batch: next.batch + 1, versions });
}

/** The tables as the writer may change them: in their latest versions, which need not be those that count. */
export async function openShelves({ connection, state }: IndexWriter): Promise<{ main: Shelf; recent: Shelf }> {
  return {
    main: { passages: await openTable(connection, nameMainTable('passages')), heads: await openTable(connection, nameMainTable('heads')) },
    recent: {
      passages: await openTable(connection, nameRecentTable('passages', state)),
      heads: await openTable(connection, nameRecentTable('heads', state)),
    },
  };
}

/** All tables that there are. */
export function tablesOf({ main, recent }: { main: Shelf; recent: Shelf }) {
  return [main.passages, main.heads, recent.passages, recent.heads].filter((table) => table !== null);
}

/** The tables of the writer's state with their latest versions. */
export async function versionsOf(writer: IndexWriter): Promise<Record<string, number>> {
  const versions: Record<string, number> = {};
  for (const table of tablesOf(await openShelves(writer))) versions[table.name] = await table.version();
  return versions;
}

async function canOpen(connection: Connection, { versions }: IndexState): Promise<boolean> {
  try {
    for (const [name, version] of Object.entries(versions)) (await openTableAt(connection, { name, version })).close();
    return true;
  } catch {
    // Whatever a table fails with here, the answer is to build the index anew from the database.
    return false;
  }
}

function canOpenParts(folder: string, state: IndexState): boolean {
  try {
    for (const number of state.parts) new PartFile(partPathIn(folder, state, number)).close();
    return true;
  } catch {
    return false;
  }
}

/** Puts every table back to its version that counts, and removes those that do not; whether any had to be put back. */
async function returnToVersions(connection: Connection, versions: IndexState['versions']): Promise<boolean> {
  let isMoved = false;
  for (const name of await connection.tableNames()) if (!(name in versions)) await connection.dropTable(name);
  for (const [name, version] of Object.entries(versions)) {
    const table = await connection.openTable(name);
    if ((await table.version()) === version) continue;
    await table.checkout(version);
    await table.restore();
    isMoved = true;
  }
  return isMoved;
}

async function hasEveryHead(writer: IndexWriter): Promise<boolean> {
  const { main, recent } = await openShelves(writer);
  const heads = ((await main.heads?.countRows()) ?? 0) + ((await recent.heads?.countRows('offset >= 0')) ?? 0);
  const { atLeast, atMost } = await countIndexedVideos(writer.pool);
  return heads >= atLeast && heads <= atMost;
}
