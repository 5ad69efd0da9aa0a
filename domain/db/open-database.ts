import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { errorCodeOf } from '../system/error-code.ts';
import { keepPrivate } from '../system/keep-private.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { addressOf, closePool, type DatabaseAddress, openPool, type Pool } from './database.ts';
import { migrate } from './migrate.ts';
import { type LocalPg, type PgLogin, startLocalPg } from './own-postgres/local-pg.ts';
import { applicationRole, superuser } from './own-postgres/pg-passwords.ts';
import { majorsIn } from './own-postgres/pg-place.ts';
import { retryWhileEnding, retryWhileLate } from './retries.ts';
import { sql } from './sql.ts';

export interface OpenDatabase {
  readonly pool: Pool;
  /** Of the database itself, past any pooler. */
  readonly address: DatabaseAddress;
  /** Closes the pool, and ends a local PostgreSQL that nobody else uses. */
  close(): Promise<void>;
}

/** What an operator says of the database. */
export interface DatabaseSettings {
  readonly dataFolder: string;
  readonly databaseUrl?: string | undefined;
  /** The way past a pooler, where `databaseUrl` leads to one. */
  readonly databaseDirectUrl?: string | undefined;
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
  /** How long a statement may take, in milliseconds; but for those that migrate, as long as it will where nothing is said. */
  readonly answerWithinMs?: number;
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
  const { databaseUrl, maxConnections, answerWithinMs } = options;
  // Whoever opens an archive goes on to write into it; the server has said by then why that might be open to others.
  keepPrivate(options.dataFolder);
  if (options.migrates !== false) refuseHalfRestored(options.dataFolder);
  const local = databaseUrl ? undefined : await startLocalPg(join(options.dataFolder, 'pg'), options);
  try {
    if (local) await takeOverDatabase(local.superuser, localName);
    if (options.keepRunning) local?.keepRunning();
    const address = local ? { ...local.application, database: localName } : { connectionString: databaseUrl ?? '' };
    const direct = options.databaseDirectUrl ? { connectionString: options.databaseDirectUrl } : undefined;
    const pool = openPool(address, { maxConnections, direct, answerWithinMs });
    const close = () => closeAll(pool, local);
    // Waited for here, or a PostgreSQL that is only slow would be ended and begun anew.
    await retryWhileLate(() => prepare(pool, options)).catch(async (error: unknown) => {
      await closePool(pool);
      throw error;
    });
    return { pool, address: addressOf(pool), close };
  } catch (error) {
    await local?.stop();
    throw error;
  }
}

/** Whether these settings name a database: one by its address, or one that lies in the data folder already. */
export function hasDatabase({ dataFolder, databaseUrl }: Pick<DatabaseSettings, 'dataFolder' | 'databaseUrl'>): boolean {
  return databaseUrl !== undefined || majorsIn(join(dataFolder, 'pg')).length > 0;
}

/** For commands that look at an archive and must not make one. Throws an OperatorFault where there is no database. */
export function refuseWithoutDatabase(settings: Pick<DatabaseSettings, 'dataFolder' | 'databaseUrl'>): void {
  if (hasDatabase(settings)) return;
  throw new OperatorFault(
    `There is no archive in ${settings.dataFolder}: its database is missing. Correct RUSHES_DATA, mount what belongs there, or set DATABASE_URL.`,
  );
}

function refuseHalfRestored(dataFolder: string): void {
  if (!existsSync(join(dataFolder, restoreMark))) return;
  throw new OperatorFault(`A restore into ${dataFolder} is unfinished. Run \`npm run restore\` with the same folder again to continue it.`);
}

async function prepare(pool: Pool, { migrates = true, migratesWithoutBackup = false }: OpenDatabaseOptions): Promise<void> {
  await refuseOldServer(pool);
  if (migrates) await migrate(pool, { withoutBackup: migratesWithoutBackup });
}

async function closeAll(pool: Pool, local: LocalPg | undefined): Promise<void> {
  await closePool(pool);
  await local?.stop();
}

async function refuseOldServer(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
  const version = Number(rows[0]?.server_version_num);
  if (version < oldestServerVersion)
    throw new OperatorFault(`DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}; version 15 or newer is needed.`);
}

/**
 * Makes `database` if it is missing, and the application's role the owner of it and of every object in it that the superuser owns, one
 * after the other: being killed half way leaves the rest to the next call.
 */
async function takeOverDatabase(server: PgLogin, database: string): Promise<void> {
  await withClient({ ...server, database: 'postgres' }, (client) => createDatabase(client, database));
  await withClient({ ...server, database }, async (client) => {
    // The lock ends with the connection.
    await client.query(sql`select pg_advisory_lock(${advisoryLocks.takingOver})`);
    for (const statement of await findTakeoverStatements(client)) await client.query(statement);
  });
}

/** What is left to be done, in order: schemas before what lies in them. */
export async function findTakeoverStatements(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(sql`
    with superuser as (select oid from pg_roles where rolname = ${superuser}),
    ours as (
      select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    ),
    -- what an extension brought stays the extension's
    brought as (select classid, objid from pg_depend where deptype = 'e')
    select format('alter schema %I owner to', nspname) as statement, 1 as priority
    from pg_namespace where oid in (select oid from ours) and nspowner in (table superuser)
    union all
    select format('alter %s %I.%I owner to',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table'
        when 'c' then 'type' else 'table' end, nspname, relname), 2
    from pg_class c join ours on ours.oid = relnamespace
    where relowner in (table superuser) and relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c')
      and ('pg_class'::regclass, c.oid) not in (table brought)
      -- a column's own sequence follows its table
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and relkind = 'S'
        and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to', p.oid::regprocedure), 3
    from pg_proc p join ours on ours.oid = pronamespace
    where proowner in (table superuser) and ('pg_proc'::regclass, p.oid) not in (table brought)
    union all
    select format('alter type %I.%I owner to', nspname, typname), 4
    from pg_type t join ours on ours.oid = typnamespace
    where typowner in (table superuser) and typtype in ('e', 'd', 'r') and ('pg_type'::regclass, t.oid) not in (table brought)
    order by priority, statement`);
  return rows.map(({ statement }) => `${statement} ${applicationRole}`);
}

async function createDatabase(client: pg.Client, database: string): Promise<void> {
  const name = client.escapeIdentifier(database);
  const found = await client.query<{ owner: string }>(
    sql`select pg_get_userbyid(datdba) as owner from pg_database where datname = ${database}`,
  );
  if (found.rows[0]?.owner === applicationRole) return;
  try {
    if (!found.rowCount) await client.query(`create database ${name} owner ${applicationRole}`);
    else await client.query(`alter database ${name} owner to ${applicationRole}`);
  } catch (error) {
    // 42P04: it exists; 23505, XX000: another process is doing the same this moment.
    if (!['42P04', '23505', 'XX000'].includes(errorCodeOf(error))) throw error;
  }
}

async function withClient(address: PgLogin & { database: string }, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(address);
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
