import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { copyOut } from '../db/copy-rows.ts';
import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { errorCodeOf } from '../system/error-code.ts';
import type { BackupFolder } from './backup-folder.ts';
import { keepContent } from './contents.ts';
import { listOurSequences, listOurTables, type OurTable, quoteColumns, quoteName } from './our-tables.ts';
import type { DatabaseDump, DumpedTable } from './snapshot.ts';

/** A film of the archive at the instant of the dump. */
export interface DumpedFilm {
  readonly id: string;
  readonly state: string;
  readonly contentHash: string;
  readonly streams: boolean;
}

export interface DumpedDatabase {
  readonly dump: DatabaseDump;
  readonly films: readonly DumpedFilm[];
}

/**
 * Keeps every row of every table as of one instant, while others go on writing. It takes the tables as it finds them, so that
 * also a database that waits for its migration can be dumped. The rows go through in pieces, however many they are.
 */
export async function dumpDatabase(pool: Pool, folder: BackupFolder): Promise<DumpedDatabase> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(sameTextEverywhere);
    const tables: DumpedTable[] = [];
    const ours = await listOurTables(client);
    for (const table of ours) tables.push(await dumpTable(client, folder, table));
    const dump = {
      serverVersion: await readServerVersion(client),
      migrations: await readMigrations(client, ours),
      queueVersion: await readQueueVersion(client, ours),
      tables,
      // Sequences run ahead of any transaction: read after the rows, they are never behind one of them.
      sequences: await listOurSequences(client),
    };
    const films = await readFilms(client, ours);
    await client.query('commit');
    client.release();
    return { dump, films };
  } catch (error) {
    // Rows may still be on their way over this connection.
    client.release(true);
    throw error;
  }
}

/** How values are written and read: whoever set the database up otherwise, a dump means the same. */
export const sameTextEverywhere = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`;

async function dumpTable(client: pg.PoolClient, folder: BackupFolder, table: OurTable): Promise<DumpedTable> {
  const packed = createGzip({ level: 1 });
  const kept = keepContent(folder, packed);
  // Heard below; until then a full disk must not look like an error that nobody waits for.
  kept.catch(() => packed.destroy());
  const text = `copy (select ${quoteColumns(table.columns)} from ${quoteName(table)}) to stdout`;
  try {
    const rows = await copyOut(client, text, async (bytes) => {
      if (!packed.write(bytes)) await Promise.race([once(packed, 'drain'), kept]);
    });
    packed.end();
    return { ...table, rows, ...(await kept) };
  } catch (error) {
    packed.destroy();
    // A full disk is the reason and not what it did to the copying.
    throw await kept.then(
      () => error,
      (reason: unknown) => (errorCodeOf(reason) === 'ERR_STREAM_PREMATURE_CLOSE' ? error : reason),
    );
  }
}

async function readServerVersion(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return rows[0]?.server_version ?? '';
}

async function readMigrations(client: pg.PoolClient, tables: readonly OurTable[]): Promise<string[]> {
  if (!has(tables, 'public', 'migrations')) throw new Error('This database contains no archive: it has no table "migrations".');
  const { rows } = await client.query<{ name: string }>(sql`select name from migrations order by name`);
  return rows.map(({ name }) => name);
}

async function readQueueVersion(client: pg.PoolClient, tables: readonly OurTable[]): Promise<number | null> {
  if (!has(tables, 'jobs', 'version')) return null;
  const { rows } = await client.query<{ version: number }>(sql`select version from jobs.version`);
  return rows[0]?.version ?? null;
}

async function readFilms(client: pg.PoolClient, tables: readonly OurTable[]): Promise<DumpedFilm[]> {
  if (!has(tables, 'public', 'videos')) return [];
  const { rows } = await client.query<DumpedFilm>(sql`
    select id, state, content_hash as "contentHash", coalesce(streaming_preset, 'NoStreaming') <> 'NoStreaming' as streams
      from videos where origin = 'file'`);
  return rows;
}

function has(tables: readonly OurTable[], schema: string, name: string): boolean {
  return tables.some((table) => table.schema === schema && table.name === name);
}
