import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { parseJson } from '../files/parse-json.ts';

const LastBackup = z.object({
  at: z.iso.datetime(),
  folder: z.string(),
  ok: z.boolean(),
  /** What went wrong, or what was made. */
  message: z.string(),
  /** The newest migration in the dump; null when none was made. */
  migration: z.string().nullable(),
  /** When the last backup was made that went well; null when none ever did. */
  lastGoodAt: z.iso.datetime().nullable(),
});
export type LastBackup = z.infer<typeof LastBackup>;

/** How the last check of a folder of backups went. */
const LastCheck = LastBackup.pick({ at: true, folder: true, ok: true, message: true });
type LastCheck = z.infer<typeof LastCheck>;

/** Remembers how a check of backups went. */
export async function noteCheck(db: Db, check: LastCheck): Promise<void> {
  const value = JSON.stringify(check);
  await db.query(sql`
    insert into archive_facts (name, value) values ('last_backup_check', ${value}) on conflict (name) do update set value = excluded.value`);
}

/** How the last check of backups went; null when there never was one. */
export async function readLastCheck(db: Db): Promise<LastCheck | null> {
  const { rows } = await db.query<{ value: string }>(sql`select value from archive_facts where name = 'last_backup_check'`);
  return LastCheck.safeParse(parseJson(rows[0]?.value ?? '')).data ?? null;
}

/** Remembers how a backup went. */
export async function noteBackup(db: Db, run: Omit<LastBackup, 'lastGoodAt'>): Promise<void> {
  const lastGoodAt = run.ok ? run.at : ((await readLastBackup(db))?.lastGoodAt ?? null);
  const value = JSON.stringify({ ...run, lastGoodAt } satisfies LastBackup);
  await db.query(sql`
    insert into archive_facts (name, value) values ('last_backup', ${value}) on conflict (name) do update set value = excluded.value`);
}

/** How the last backup went; null when there never was one. */
export async function readLastBackup(db: Db): Promise<LastBackup | null> {
  const { rows } = await db.query<{ value: string }>(sql`select value from archive_facts where name = 'last_backup'`);
  return LastBackup.safeParse(parseJson(rows[0]?.value ?? '')).data ?? null;
}
