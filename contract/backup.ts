import { z } from 'zod';

/** A backup is late when the last good one is older than this. */
export const backupLateAfterHours = 48;

/** How an archive stands with its backups, for administrators. */
export const BackupState = z.object({
  /** `unneeded`: there is nothing yet that could be lost; `never`: there is, and no backup of it. */
  is: z.enum(['unneeded', 'never', 'fine', 'late', 'failed']),
  /** Of the last try; null when there never was one. */
  at: z.string().nullable(),
  /** Of the last backup that went well. */
  lastGoodAt: z.string().nullable(),
  /** What went wrong with the last one, or what was made. */
  message: z.string(),
});
export type BackupState = z.infer<typeof BackupState>;
