import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { readFact, writeFact } from '../db/archive-facts.ts';
import { copyIn } from '../db/copy-rows.ts';
import { inTransaction, type Pool } from '../db/database.ts';
import { applyMigrations } from '../db/migrate.ts';
import { sql } from '../db/sql.ts';
import { addKeptErasures } from '../files/kept-erasures.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { hasJobs } from '../jobs/ingest-queue.ts';
import { type JobData, makeJobTables, openJobQueue } from '../jobs/job-queue.ts';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import { syncFoldersUpTo } from '../system/sync-to-disk.ts';
import { ownPathIn, videoOfKey } from './archive-files.ts';
import type { BackupFolder } from './backup-folder.ts';
import { ensureRoom } from './backup-space.ts';
import { endRestore, readRestoreMark } from './begin-restore.ts';
import { ContentFault, readContent, readPackedContent } from './contents.ts';
import { sameTextEverywhere } from './dump-database.ts';
import { isUnchanged, type ListedFile, readFileList, sayListed } from './file-list.ts';
import { isLeftOut, listOurTables, type OurTable, ourSchemas, quoteColumns, quoteName } from './our-tables.ts';
import type { DatabaseDump, DumpedTable, Snapshot } from './snapshot.ts';
import { readToldErasures } from './tell-backups.ts';

export interface RestoreRun {
  readonly rows: number;
  readonly files: number;
  /** Files that could not be restored, a sentence each. */
  readonly faults: readonly string[];
  /** What was left out on purpose, in sentences. */
  readonly remarks: readonly string[];
}

/**
 * Restores a snapshot into a data folder that `beginRestore` made ready and an empty database: the files first, each compared with its
 * hash, then the rows in one transaction. A file that the backup lacks is left out and told. Killed at any moment, it can be run again.
 */
export async function restoreArchive(options: {
  pool: Pool;
  archive: ArchiveFiles;
  from: BackupFolder;
  snapshot: Snapshot;
  say: (line: string) => void;
}): Promise<RestoreRun> {
  const { pool, archive, from, snapshot, say } = options;
  const { restore } = await readRestoreMark(archive);
  const isLoaded = await wasLoadedBy(pool, restore);
  if (!isLoaded && !(await isEmptyDatabase(pool)))
    throw new Error('The database is not empty; an archive can only be restored into an empty database.');
  say(`Restoring ${snapshot.files.count} files`);
  const { faults, restored } = await restoreFiles(archive, from, snapshot);
  say('Restoring the database');
  const remarks = isLoaded ? [] : await loadDatabase(pool, from, { dump: snapshot.database, restore });
  // Who was forgotten since goes with the first start, before anything is served: the rows may be those of an older version.
  await addKeptErasures(archive.folder.root, await readToldErasures(from));
  await endRestore(archive);
  const rows = snapshot.database.tables.reduce((sum, table) => sum + table.rows, 0);
  return { rows, files: restored, faults, remarks };
}

/**
 * Brings the files of a snapshot to their places, with their times; when this returns, a power cut no longer loses them. A file that is
 * there already was brought by an earlier try. Returns how many, and which are missing or damaged in the backup, a sentence each.
 */
async function restoreFiles(archive: ArchiveFiles, from: BackupFolder, { files }: Snapshot) {
  const faults: string[] = [];
  let listed = 0;
  for (const isMedia of [true, false]) await mkdir(draftsOf(archive, isMedia), { recursive: true, mode: 0o700 });
  for await (const file of readFileList(readPackedContent(from, files))) {
    listed++;
    const fault = (await isThere(archive, file)) ? undefined : await restoreFile(archive, from, file);
    if (fault) faults.push(fault);
  }
  const restored = listed - faults.length;
  if (listed !== files.count) faults.push(`Of this snapshot ${sayListed(listed, files.count)}; another one may name all.`);
  return { faults, restored };
}

/** A file has its time before it has its name: what has both is whole. A store that is shared has times of its own, and was empty when this began. */
async function isThere({ folder, store }: ArchiveFiles, file: ListedFile): Promise<boolean> {
  if (videoOfKey(file.key) !== null) {
    const found = await store.stat(file.key);
    if (store.isShared) return found?.sizeBytes === file.sizeBytes;
    return found !== null && isUnchanged(file, { ...found, modifiedMs: found.modifiedAt.getTime() });
  }
  const found = await stat(ownPathIn(folder, file.key)).catch(ignoreAbsent);
  return found !== null && isUnchanged(file, { sizeBytes: found.size, modifiedMs: found.mtime.getTime() });
}

/** On the disk of the file's place: media may have one of their own, and what is copied there once more loses its time. */
function draftsOf({ folder, store }: ArchiveFiles, isMedia: boolean): string {
  return isMedia && !store.isShared ? folder.drafts : folder.staging;
}

async function restoreFile(archive: ArchiveFiles, from: BackupFolder, file: ListedFile): Promise<string | undefined> {
  const { folder, store } = archive;
  const isMedia = videoOfKey(file.key) !== null;
  const draft = join(draftsOf(archive, isMedia), randomUUID());
  if (store.isShared) await ensureRoom(folder.staging, file.sizeBytes);
  try {
    await writeDraft(draft, from, file);
    if (isMedia) await store.put(file.key, { path: draft });
    else await settle(draft, folder.root, ownPathIn(folder, file.key));
    return undefined;
  } catch (error) {
    await rm(draft, { force: true });
    if (!(error instanceof ContentFault)) throw error;
    return `${file.key} cannot be restored: ${error.message}`;
  }
}

async function writeDraft(draft: string, from: BackupFolder, file: ListedFile): Promise<void> {
  await using to = await open(draft, 'wx', 0o600);
  for await (const chunk of readContent(from, file)) await to.writeFile(chunk);
  await to.utimes(file.modifiedMs / 1_000, file.modifiedMs / 1_000);
  await to.sync();
}

async function settle(draft: string, root: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rename(draft, path);
  await syncFoldersUpTo(root, dirname(path));
}

/** Whether a database holds no table and no job yet, so that an archive may be restored into it. */
export async function isEmptyDatabase(pool: Pool): Promise<boolean> {
  const tables = await listOurTables(pool);
  return !tables.some(({ schema }) => schema === 'public') && !(await hasJobs(pool));
}

/** Whether the rows of this restore are in the database: it may have been cut off after the last row and before its end. */
async function wasLoadedBy(pool: Pool, restore: string): Promise<boolean> {
  const tables = await listOurTables(pool);
  const hasFacts = tables.some(({ schema, name }) => schema === 'public' && name === 'archive_facts');
  return hasFacts && (await readFact(pool, 'restore')) === restore;
}

/**
 * Brings the rows of a dump into an empty database: tables as the dump's migrations make them, then every row as it was, all of it or
 * nothing, and with them the name of this restore. Returns what was left out, in sentences. Throws a sentence when the dump is of a newer version, and a ContentFault when a part
 * of it is missing or damaged.
 */
async function loadDatabase(
  pool: Pool,
  folder: BackupFolder,
  { dump, restore }: { dump: DatabaseDump; restore: string },
): Promise<string[]> {
  if (dump.queueVersion !== null) await makeJobTables(pool);
  const remarks = await inTransaction(pool, async (client) => {
    await client.query(sameTextEverywhere);
    await applyMigrations(client, dump.migrations);
    const tables = await listOurTables(client);
    const isSameQueue = await hasQueueVersion(client, dump);
    const loaded = dump.tables.filter((table) => !isLeftOut(table) && (table.schema !== 'jobs' || isSameQueue));
    const foreign = loaded.filter((table) => !sameTableIn(tables, table));
    const own = await orderByReference(
      client,
      loaded.filter((table) => !foreign.includes(table)),
    );
    await loadTables(client, folder, { own, tables });
    await setSequences(client, dump, isSameQueue);
    await writeFact(client, 'restore', restore);
    const jobs = isSameQueue ? [] : await enqueueDumpedJobs({ pool, client, folder, dump });
    return [...foreign.map((table) => `The table ${quoteName(table)} does not belong to the archive and was not restored.`), ...jobs];
  });
  await pool.query('analyze');
  return remarks;
}

async function loadTables(
  client: pg.PoolClient,
  folder: BackupFolder,
  { own, tables }: { own: readonly DumpedTable[]; tables: readonly OurTable[] },
): Promise<void> {
  // Triggers have done their work when these rows were first written; the audit's would refuse to be emptied.
  for (const table of own) await client.query(`alter table ${quoteName(table)} disable trigger user`);
  // Migrations write first rows of their own; tables that no backup holds may refer to these, and are empty.
  if (own.length > 0) await client.query(`truncate ${own.map(quoteName).join(', ')} cascade`);
  for (const table of own) {
    await makePartitions(client, table, sameTableIn(tables, table));
    const text = `copy ${quoteName(table)} (${quoteColumns(table.columns)}) from stdin`;
    const rows = await copyIn(client, text, readPackedContent(folder, table));
    if (rows !== table.rows) throw new Error(`${quoteName(table)} had ${table.rows} rows and got ${rows}; nothing was restored.`);
  }
  await client.query('set constraints all immediate');
  for (const table of own) await client.query(`alter table ${quoteName(table)} enable trigger user`);
}

async function makePartitions(client: pg.PoolClient, table: DumpedTable, found: OurTable | undefined): Promise<void> {
  const there = new Set(found?.partitions.map(({ name }) => name));
  for (const { name, bound } of table.partitions.filter((one) => !there.has(one.name)))
    await client.query(`create table ${quoteName({ schema: table.schema, name })} partition of ${quoteName(table)} ${bound}`);
}

/** Sequences go on behind the last row, or new rows would take the numbers of old ones. */
async function setSequences(client: pg.PoolClient, { sequences }: DatabaseDump, isSameQueue: boolean): Promise<void> {
  for (const sequence of sequences.filter(({ schema }) => schema !== 'jobs' || isSameQueue))
    await client.query(sql`select setval(to_regclass(${quoteName(sequence)}), ${sequence.lastValue}::bigint)`);
}

async function hasQueueVersion(client: pg.PoolClient, { queueVersion }: DatabaseDump): Promise<boolean> {
  if (queueVersion === null) return false;
  const { rows } = await client.query<{ version: number }>(sql`select version from jobs.version`);
  return rows[0]?.version === queueVersion;
}

function sameTableIn(tables: readonly OurTable[], { schema, name }: DumpedTable): OurTable | undefined {
  return tables.find((table) => table.schema === schema && table.name === name);
}

/** The same tables, each behind those that its rows refer to. */
async function orderByReference<T extends { schema: string; name: string }>(client: pg.PoolClient, tables: readonly T[]): Promise<T[]> {
  const { rows } = await client.query<{ schema: string; name: string; on_schema: string; on_name: string }>(sql`
    select n.nspname as schema, c.relname as name, tn.nspname as on_schema, t.relname as on_name
      from pg_constraint f
      join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_class t on t.oid = f.confrelid join pg_namespace tn on tn.oid = t.relnamespace
     where f.contype = 'f' and n.nspname = any (${ourSchemas}) and f.conrelid <> f.confrelid`);
  const ordered: T[] = [];
  const begun = new Set<T>();
  const add = (table: T) => {
    if (begun.has(table)) return;
    begun.add(table);
    for (const { on_schema, on_name } of rows.filter((row) => row.schema === table.schema && row.name === table.name)) {
      const referenced = tables.find((other) => other.schema === on_schema && other.name === on_name);
      if (referenced) add(referenced);
    }
    ordered.push(table);
  };
  for (const table of tables) add(table);
  return ordered;
}

/**
 * The tables of the queue are its library's, and another version of it has others: then the jobs that wait, or were at work, are given to
 * the queue anew, and what it remembered of jobs that had ended is left behind. Returns that in a sentence.
 */
async function enqueueDumpedJobs(options: {
  pool: Pool;
  client: pg.PoolClient;
  folder: BackupFolder;
  dump: DatabaseDump;
}): Promise<string[]> {
  const { pool, client, folder, dump } = options;
  const table = dump.tables.find(({ schema, name }) => schema === 'jobs' && name === 'job');
  if (!table) return [];
  const columns = table.columns.map((column) => `${quoteColumns([column])} text`).join(', ');
  await client.query(`create temp table dumped_jobs (${columns}) on commit drop`);
  await copyIn(client, `copy dumped_jobs (${quoteColumns(table.columns)}) from stdin`, readPackedContent(folder, table));
  const { rows } = await client.query<{ name: string; data: JobData | null; priority: number }>(sql`
    select name, data::jsonb as data, priority::int as priority from dumped_jobs where state in ('created', 'retry', 'active') order by name, created_on`);
  const queue = await openJobQueue(pool, { onError: () => {} });
  try {
    for (const { name, data, priority } of rows) await queue.enqueue(name, data ?? {}, { db: client, priority });
  } finally {
    await queue.stop();
  }
  return [`The job queue is of another version: its ${rows.length} waiting jobs were queued again.`];
}
