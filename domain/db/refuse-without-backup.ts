import type pg from 'pg';
import { z } from 'zod';
import { OperatorFault } from './operator-fault.ts';
import { sql } from './sql.ts';

const freshForMs = 24 * 60 * 60 * 1_000;

/** What the backup command notes in `archive_facts` as `last_backup`. */
const LastBackup = z.object({ at: z.iso.datetime({ offset: true }), ok: z.boolean(), migration: z.string() });

/**
 * Throws an OperatorFault when the database holds videos or people and no whole backup of the last 24 hours of it, as it is up to
 * `newestMigration`: what changes their rows can go wrong, and only a copy takes that back.
 */
export async function refuseWithoutBackup(client: pg.PoolClient, newestMigration: string | undefined): Promise<void> {
  if (newestMigration === undefined || !(await holdsSomething(client))) return;
  const last = await readLastBackup(client);
  const isFresh = last?.ok && last.migration === newestMigration && Date.now() - Date.parse(last.at) < freshForMs;
  if (isFresh) return;
  throw new OperatorFault(
    `This version of Rushes changes the database of this archive, which is as of ${newestMigration}, and there is no backup of the last 24 hours of it: stop the archive, run npm run backup -- FOLDER, and start again; RUSHES_MIGRATE_WITHOUT_BACKUP=1 goes on without one.`,
  );
}

async function holdsSomething(client: pg.PoolClient): Promise<boolean> {
  for (const table of ['videos', 'users']) {
    if ((await exists(client, table)) && (await client.query(`select from ${table} limit 1`)).rowCount) return true;
  }
  return false;
}

async function readLastBackup(client: pg.PoolClient): Promise<z.infer<typeof LastBackup> | undefined> {
  if (!(await exists(client, 'archive_facts'))) return undefined;
  const { rows } = await client.query<{ value: string }>(sql`select value from archive_facts where name = 'last_backup'`);
  try {
    return LastBackup.parse(JSON.parse(rows[0]?.value ?? ''));
  } catch {
    return undefined;
  }
}

async function exists(client: pg.PoolClient, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(sql`select to_regclass(${table}) is not null as found`);
  return rows[0]?.found ?? false;
}
