import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { inTransaction, type Pool } from './database.ts';
import { sql } from './sql.ts';

const folder = join(import.meta.dirname, 'migrations');
const migrationLock = 728_374_001;

/**
 * Applies the numbered `.sql` files that this database lacks, in order, each in its own transaction.
 * Several processes may call it at once: one applies, the others wait. Returns the names applied.
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const done: string[] = [];
  for (const name of names) {
    const applied = await inTransaction(pool, (db) => applyOnce(db, name));
    if (applied) done.push(name);
  }
  return done;
}

/**
 * Applies exactly these migrations within the transaction of `db`: the tables are then those of an older state of the archive.
 * Throws a sentence when this version does not know one of them.
 */
export async function applyMigrations(db: pg.PoolClient, names: readonly string[]): Promise<void> {
  const known = new Set(await readdir(folder));
  const unknown = names.find((name) => !known.has(name));
  if (unknown)
    throw new Error(`These rows were written by a newer version of Rushes (its migration ${unknown} is unknown here); use that version.`);
  for (const name of [...names].sort()) await applyOnce(db, name);
}

async function applyOnce(db: pg.PoolClient, name: string): Promise<boolean> {
  await db.query(sql`select pg_advisory_xact_lock(${migrationLock})`);
  await db.query('create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())');
  const found = await db.query(sql`select 1 from migrations where name = ${name}`);
  if (found.rowCount) return false;
  await db.query(await readFile(join(folder, name), 'utf8'));
  await db.query(sql`insert into migrations (name) values (${name})`);
  return true;
}
