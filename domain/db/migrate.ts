import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { OperatorFault } from '../system/operator-fault.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { readFact } from './archive-facts.ts';
import { type Db, directOf, type Pool } from './database.ts';
import { sql } from './sql.ts';

const ownFolder = join(import.meta.dirname, 'migrations');
const makeMigrations = 'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())';

/**
 * Applies the numbered `.sql` files of `folder` (its own, when missing) that this database lacks, in order, each in its own transaction.
 * Several processes may call it at once: one applies, the others wait. Returns the names applied. Throws an OperatorFault for a database
 * that a newer version has opened, and before it changes what people have put in without a backup of it, unless `withoutBackup`.
 */
export async function migrate(pool: Pool, { withoutBackup = false, folder = ownFolder } = {}): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return await withMigrationLock(pool, async (client) => {
    await client.query(makeMigrations);
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
    const applied = rows.map(({ name }) => name);
    refuseNewer(applied.filter((name) => !names.includes(name)));
    const pending = names.filter((name) => !applied.includes(name));
    if (pending.length > 0 && !withoutBackup) await refuseWithoutBackup(client, applied.at(-1));
    for (const name of pending) await apply(client, name, await readFile(join(folder, name), 'utf8'));
    return pending;
  });
}

interface DueChange {
  readonly name: string;
  /** What a server of the version before, which still runs, would stumble over; empty where it goes on. */
  readonly breaks: readonly string[];
}

interface UpgradePlan {
  /** Migrations that only a newer version knows: this one refuses the database. */
  readonly unknown: readonly string[];
  readonly due: readonly DueChange[];
  readonly isBackedUp: boolean;
}

/** What the next start of this version would change in the database, in order. Changes nothing. */
export async function planUpgrade(pool: Pool, folder = ownFolder): Promise<UpgradePlan> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const { rows } = (await exists(pool, 'migrations'))
    ? await pool.query<{ name: string }>('select name from migrations order by name')
    : { rows: [] };
  const applied = rows.map(({ name }) => name);
  const due = names.filter((name) => !applied.includes(name));
  return {
    unknown: applied.filter((name) => !names.includes(name)),
    due: await Promise.all(due.map(async (name) => ({ name, breaks: findBreaks(await readFile(join(folder, name), 'utf8')) }))),
    isBackedUp: await isBackedUp(pool, applied.at(-1)),
  };
}

/** Words of a change after which statements of the version before fail. */
const breaking: readonly (readonly [RegExp, string])[] = [
  [/\bdrop (?:table|view|materialized view)(?: if exists)? (\w+)/gi, 'drops'],
  [/\bdrop column(?: if exists)? (\w+)/gi, 'drops the column'],
  [/\brename (?:column )?(\w+) to\b/gi, 'renames'],
  [/\brename to (\w+)/gi, 'gives a table another name,'],
  [/\balter column (\w+) (?:set data )?type\b/gi, 'changes the type of'],
  [/\balter column (\w+) set not null\b/gi, 'asks always for'],
  [/\badd column(?: if not exists)? (\w+) [^,;]*?\bnot null\b(?![^,;]*\b(?:default|generated)\b)/gi, 'asks always for'],
];

/** What of a migration's statements readers and writers of the version before would stumble over. */
function findBreaks(statements: string): string[] {
  // A default may stand before or after "not null".
  const bare = statements.replace(/--.*$/gm, '').replace(/\s+/g, ' ');
  return breaking.flatMap(([pattern, what]) =>
    [...bare.matchAll(pattern)].filter(([found]) => !/\bdefault\b/i.test(found)).map(([, name]) => `${what} ${name}`),
  );
}

/**
 * Applies exactly these migrations within the transaction of `db`: the tables are then those of an older state of the archive.
 * Throws a sentence when this version does not know one of them.
 */
export async function applyMigrations(db: pg.PoolClient, names: readonly string[]): Promise<void> {
  const known = new Set(await readdir(ownFolder));
  const unknown = names.find((name) => !known.has(name));
  if (unknown)
    throw new Error(`These rows were written by a newer version of Rushes (its migration ${unknown} is unknown here); use that version.`);
  await db.query(makeMigrations);
  for (const name of [...names].sort()) {
    await db.query(await readFile(join(ownFolder, name), 'utf8'));
    await db.query(sql`insert into migrations (name) values (${name})`);
  }
}

function refuseNewer([unknown]: readonly string[]): void {
  if (unknown === undefined) return;
  throw new OperatorFault(
    `This archive was opened by a newer version of Rushes: its database has ${unknown}, which this version does not know. Start the newer version again, or restore a backup made before.`,
  );
}

/** One connection, so that the lock is held from the first look to the last change; it ends with the connection. */
async function withMigrationLock<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await directOf(pool).connect();
  try {
    await client.query(sql`select pg_advisory_lock(${advisoryLocks.migrating})`);
    const result = await work(client);
    await client.query(sql`select pg_advisory_unlock(${advisoryLocks.migrating})`);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function apply(client: pg.PoolClient, name: string, statements: string): Promise<void> {
  await client.query('begin');
  await client.query(statements);
  await client.query(sql`insert into migrations (name) values (${name})`);
  await client.query('commit');
}

const freshForMs = 24 * 60 * 60 * 1_000;

/** What the backup command notes in `archive_facts` as `last_backup`; without a migration where it has not kept all rows. */
const LastBackup = z.object({ at: z.iso.datetime({ offset: true }), migration: z.string() });

/**
 * Throws an OperatorFault when the database holds videos or people and no backup of the last 24 hours of all its rows, as it is up to
 * `newestMigration`: what changes their rows can go wrong, and only a copy takes that back.
 */
async function refuseWithoutBackup(client: pg.PoolClient, newestMigration: string | undefined): Promise<void> {
  if (await isBackedUp(client, newestMigration)) return;
  throw new OperatorFault(
    `This version of Rushes changes the archive’s database (now at ${newestMigration}), which has no backup from the last 24 hours: stop the archive, run npm run backup -- FOLDER, and start again; RUSHES_MIGRATE_WITHOUT_BACKUP=1 continues without one.`,
  );
}

/** Whether a backup of the last 24 hours holds the database as it is, whatever files the archive lacked then, or there is nothing in it that would need one. */
async function isBackedUp(db: Db, newestMigration: string | undefined): Promise<boolean> {
  if (newestMigration === undefined || !(await holdsSomething(db))) return true;
  const last = await readLastBackup(db);
  return last?.migration === newestMigration && Date.now() - Date.parse(last.at) < freshForMs;
}

async function holdsSomething(client: Db): Promise<boolean> {
  for (const table of ['videos', 'users']) {
    if ((await exists(client, table)) && (await client.query(`select from ${table} limit 1`)).rowCount) return true;
  }
  return false;
}

async function readLastBackup(client: Db): Promise<z.infer<typeof LastBackup> | undefined> {
  if (!(await exists(client, 'archive_facts'))) return undefined;
  const noted = await readFact(client, 'last_backup');
  try {
    return LastBackup.parse(JSON.parse(noted ?? ''));
  } catch {
    return undefined;
  }
}

async function exists(client: Db, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(sql`select to_regclass(${table}) is not null as found`);
  return rows[0]?.found ?? false;
}
