import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type DatabaseAddress, openPool, type Pool } from './database.ts';
import { errorCode } from './error-code.ts';
import { keepPrivate } from './keep-private.ts';
import { startLocalPg } from './local-pg.ts';
import { migrate } from './migrate.ts';

export interface OpenDatabase {
  readonly pool: Pool;
  readonly address: DatabaseAddress;
  /** Closes the pool, and ends a local PostgreSQL that nobody else uses. */
  close(): Promise<void>;
}

/** File of a data folder into which an archive is being restored. */
export const restoreMark = 'restoring.json';

const oldestServerVersion = 150_000;

/**
 * Opens the archive's database, migrated: the one at `databaseUrl`, else a PostgreSQL of our own under `dataFolder`.
 * Throws a sentence for the operator when the server is older than PostgreSQL 15.
 */
export async function openDatabase(options: {
  dataFolder: string;
  databaseUrl?: string | undefined;
  /** A PostgreSQL of our own ends with this process, also by SIGKILL. */
  tied?: boolean;
  /** It is started again whenever it dies. */
  keepRunning?: boolean;
  maxConnections?: number;
  /** False leaves the tables as they are, for whoever reads or restores an older state of them. */
  migrates?: boolean;
}): Promise<OpenDatabase> {
  const { databaseUrl } = options;
  // Whoever opens an archive goes on to write into it; the server has said by then why that might be open to others.
  keepPrivate(options.dataFolder);
  if (options.migrates !== false && existsSync(join(options.dataFolder, restoreMark)))
    throw new Error(
      `A restore into ${options.dataFolder} has not ended. Run \`npm run restore\` with the same folder again; it goes on where it was.`,
    );
  const local = databaseUrl ? undefined : await startLocalPg(join(options.dataFolder, 'pg'), { tied: options.tied ?? false });
  if (local) await createDatabase(local.host);
  if (options.keepRunning) local?.keepRunning();
  const address = local ? { host: local.host, user: local.user, database: 'rushes' } : { connectionString: databaseUrl ?? '' };
  const pool = openPool(address, options.maxConnections ? { maxConnections: options.maxConnections } : {});
  await refuseOldServer(pool);
  if (options.migrates ?? true) await migrate(pool);
  return {
    pool,
    address,
    close: async () => {
      await pool.end();
      await local?.stop();
    },
  };
}

async function createDatabase(host: string): Promise<void> {
  const client = new pg.Client({ host, user: 'app', database: 'postgres' });
  await client.connect();
  try {
    const found = await client.query(`select 1 from pg_database where datname = 'rushes'`);
    if (!found.rowCount) await client.query('create database rushes');
  } catch (error) {
    // 42P04: it exists; 23505: another process is creating it this moment.
    if (!['42P04', '23505'].includes(errorCode(error))) throw error;
  } finally {
    await client.end();
  }
}

async function refuseOldServer(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
  const version = Number(rows[0]?.server_version_num);
  if (version < oldestServerVersion)
    throw new Error(`PostgreSQL 15 or newer is needed; DATABASE_URL answers with version ${Math.floor(version / 10_000)}`);
}
