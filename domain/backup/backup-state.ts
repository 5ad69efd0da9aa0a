import { type BackupState, backupLateAfterHours } from '#contract/archive.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { readLastBackup } from './last-backup.ts';

/** How the archive stands with its backups. A practice archive (not `isPublic`) that was never backed up needs none. */
export async function readBackupState(db: Db, { isPublic, now = Date.now() }: { isPublic: boolean; now?: number }): Promise<BackupState> {
  const last = await readLastBackup(db);
  if (!last) {
    const is = isPublic && (await hasFootage(db)) ? 'never' : 'unneeded';
    return { is, at: null, lastGoodAt: null, message: '' };
  }
  const { at, ok, lastGoodAt, message } = last;
  const lateMs = backupLateAfterHours * 60 * 60 * 1_000;
  const isLate = lastGoodAt === null || now - Date.parse(lastGoodAt) > lateMs;
  return { is: ok ? (isLate ? 'late' : 'fine') : 'failed', at, lastGoodAt, message };
}

async function hasFootage(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(sql`select exists (select 1 from videos where origin = 'file') as found`);
  return rows[0]?.found === true;
}
