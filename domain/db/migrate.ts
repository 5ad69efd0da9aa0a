import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Pool } from './database.ts';
import { OperatorFault } from './operator-fault.ts';
import { refuseWithoutBackup } from './refuse-without-backup.ts';
import { sql } from './sql.ts';

const ownFolder = join(import.meta.dirname, 'migrations');
const migrationLock = 728_374_001;
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
    `This archive was opened by a newer version of Rushes: its database has ${unknown}, which this version does not know. Start the newer version again, or restore a backup that was made before.`,
  );
}

/** One connection, so that the lock is held from the first look to the last change; it ends with the connection. */
async function withMigrationLock<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(sql`select pg_advisory_lock(${migrationLock})`);
    const result = await work(client);
    await client.query(sql`select pg_advisory_unlock(${migrationLock})`);
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
