import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { readFact, writeFact } from '../db/archive-facts.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { parseJson } from '../system/parse-json.ts';

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
const LastCheck = LastBackup.pick({ at: true, folder: true, ok: true, message: true }).extend({
  /** What is damaged there, as far as is known; notes of earlier versions lack it. */
  damage: z.string().nullable().optional(),
});
export type LastCheck = z.infer<typeof LastCheck> & { readonly damage: string | null };

interface CheckOutcome {
  readonly at: string;
  readonly folder: string;
  /** What was found damaged; null where that was nothing. */
  readonly damage: string | null;
  /** Why not everything could be read; null where it could. */
  readonly unchecked: string | null;
}

/** Remembers how a check of a folder of backups went. What was found damaged there stays until a check reads all of it and finds it whole. */
export async function noteCheck(db: Db, { at, folder, damage, unchecked }: CheckOutcome): Promise<void> {
  const before = unchecked === null ? undefined : (await readEveryCheck(db)).find((check) => check.folder === folder);
  const message = damage ?? unchecked ?? '';
  const check: LastCheck = { at, folder, ok: message === '', message, damage: damage ?? before?.damage ?? null };
  const value = JSON.stringify(check);
  // The version before reads the first only.
  await db.query(sql`
    insert into archive_facts (name, value) values ('last_backup_check', ${value}), (${`last_backup_check ${folder}`}, ${value})
        on conflict (name) do update set value = excluded.value`);
}

/** How the last check of each folder of backups went that is in use. */
export async function readLastChecks(db: Db): Promise<LastCheck[]> {
  const [checks, last] = await Promise.all([readEveryCheck(db), readLastBackup(db)]);
  const sinceMs = Date.now() - serverLimits.backupFolderRememberedDays * 24 * 60 * 60 * 1_000;
  return checks.filter(({ folder, at }) => folder === last?.folder || Date.parse(at) > sinceMs);
}

async function readEveryCheck(db: Db): Promise<LastCheck[]> {
  const { rows } = await db.query<{ value: string }>(sql`
    select value from archive_facts where name = 'last_backup_check' or starts_with(name, 'last_backup_check ')`);
  const notes = rows.flatMap(({ value }) => LastCheck.safeParse(parseJson(value)).data ?? []).sort((a, b) => a.at.localeCompare(b.at));
  const checks = notes.map(
    ({ damage, ...check }): LastCheck => ({ ...check, damage: damage ?? (damage === null || check.ok ? null : check.message) }),
  );
  return [...new Map(checks.map((check) => [check.folder, check])).values()];
}

/** Remembers how a backup went. */
export async function noteBackup(db: Db, run: Omit<LastBackup, 'lastGoodAt'>): Promise<void> {
  const lastGoodAt = run.ok ? run.at : ((await readLastBackup(db))?.lastGoodAt ?? null);
  const value = JSON.stringify({ ...run, lastGoodAt } satisfies LastBackup);
  await writeFact(db, 'last_backup', value);
}

/** How the last backup went; null when there never was one. */
export async function readLastBackup(db: Db): Promise<LastBackup | null> {
  return LastBackup.safeParse(parseJson((await readFact(db, 'last_backup')) ?? '')).data ?? null;
}
