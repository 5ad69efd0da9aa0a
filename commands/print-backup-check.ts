import type { BackupFolder } from '#domain/backup/backup-folder.ts';
import { checkBackup } from '#domain/backup/check-backup.ts';

type Say = (line: string) => void;

/** Reads a folder of backups back and prints one line of figures; what is wrong goes to `log` and comes back. */
export async function printBackupCheck(folder: BackupFolder, { print, log }: { print: Say; log: Say }): Promise<readonly string[]> {
  const { faults, ...figures } = await checkBackup(folder, log);
  print(JSON.stringify({ check: 'backup', ...figures, faults: faults.length }));
  for (const fault of faults) log(fault);
  if (faults.length > 0) log('Remove the damaged files; the next backup saves again what the archive still has.');
  return faults;
}
