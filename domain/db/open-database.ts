import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseAddress, openPool, type Pool } from './database.ts';
import { keepPrivate } from './keep-private.ts';
import { migrate } from './migrate.ts';
import { OperatorFault } from './operator-fault.ts';
import { type LocalPg, startLocalPg } from './own-postgres/local-pg.ts';
import { ownDatabase } from './own-postgres/own-database.ts';
import { retryWhileEnding, retryWhileLate } from './retry-while-ending.ts';

export interface OpenDatabase {
  readonly pool: Pool;
  readonly address: DatabaseAddress;
  /** Closes the pool, and ends a local PostgreSQL that nobody else uses. */
  close(): Promise<void>;
}

/** What an operator says of the database. */
export interface DatabaseSettings {
  readonly dataFolder: string;
  readonly databaseUrl?: string | undefined;
  /** RUSHES_ALLOW_FUSE: a PostgreSQL of our own may lie on a FUSE file system. */
  readonly allowsFuse?: boolean;
  /** RUSHES_MIGRATE_WITHOUT_BACKUP: what people have put in may be changed for a newer version without a copy of it. */
  readonly migratesWithoutBackup?: boolean;
}

export interface OpenDatabaseOptions extends DatabaseSettings {
  /** A PostgreSQL of our own ends with this process, also by SIGKILL. */
  readonly tied?: boolean;
  /** It is started again whenever it dies. */
  readonly keepRunning?: boolean;
  readonly maxConnections?: number;
  /** False leaves the database as it is found, for who copies it or fills it: whatever version it is of, and without a table in it. */
  readonly migrates?: boolean;
  /** Asked before a PostgreSQL of our own is made where there is none; throws when there must not be one. */
  readonly mayInitialise?: () => Promise<void> | void;
}

/** File of a data folder into which an archive is being restored. */
export const restoreMark = 'restoring.json';

const oldestServerVersion = 150_000;
const localName = 'rushes';

/**
 * Opens a database, migrated: the one at `databaseUrl`, else a PostgreSQL of our own under `dataFolder`. Whoever opens an archive to work
 * with calls `openArchive`, which also looks whether database and data folder belong together.
 * Throws an OperatorFault where it cannot be used.
 */
export function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  return retryWhileEnding(options.databaseUrl, () => openOnce(options));
}

async function openOnce(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, maxConnections } = options;
  // Whoever opens an archive goes on to write into it; the server has said by then why that might be open to others.
  keepPrivate(options.dataFolder);
  if (options.migrates !== false) refuseHalfRestored(options.dataFolder);
  const local = databaseUrl ? undefined : await startLocalPg(join(options.dataFolder, 'pg'), options);
  try {
    if (local) await ownDatabase(local.superuser, localName);
    if (options.keepRunning) local?.keepRunning();
    const address = local ? { ...local.application, database: localName } : { connectionString: databaseUrl ?? '' };
    const pool = openPool(address, maxConnections ? { maxConnections } : {});
    const close = () => closeAll(pool, local);
    // Waited for here, or a PostgreSQL that is only slow would be ended and begun anew.
    await retryWhileLate(() => prepare(pool, options)).catch(async (error: unknown) => {
      await pool.end();
      throw error;
    });
    return { pool, address, close };
  } catch (error) {
    await local?.stop();
    throw error;
  }
}

function refuseHalfRestored(dataFolder: string): void {
  if (!existsSync(join(dataFolder, restoreMark))) return;
  throw new OperatorFault(
    `A restore into ${dataFolder} has not ended. Run \`npm run restore\` with the same folder again; it goes on where it was.`,
  );
}

async function prepare(pool: Pool, { migrates = true, migratesWithoutBackup = false }: OpenDatabaseOptions): Promise<void> {
  await refuseOldServer(pool);
  if (migrates) await migrate(pool, { withoutBackup: migratesWithoutBackup });
}

async function closeAll(pool: Pool, local: LocalPg | undefined): Promise<void> {
  await pool.end();
  await local?.stop();
}

async function refuseOldServer(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
  const version = Number(rows[0]?.server_version_num);
  if (version < oldestServerVersion)
    throw new OperatorFault(`DATABASE_URL names a PostgreSQL of version ${Math.floor(version / 10_000)}; name one of version 15 or newer.`);
}
