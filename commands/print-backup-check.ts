import type { BackupFolder } from '#domain/backup/backup-folder.ts';
import { type BackupCheck, checkBackup } from '#domain/backup/check-backup.ts';

type Say = (line: string) => void;

/** Reads a folder of backups back and prints one line of figures; what is wrong, and what could not be read, goes to `log` and comes back. */
export async function printBackupCheck(
  folder: BackupFolder,
  { print, log }: { print: Say; log: Say },
): Promise<Pick<BackupCheck, 'faults' | 'unchecked'>> {
  const { faults, unchecked, ...figures } = await checkBackup(folder, log);
  print(JSON.stringify({ check: 'backup', ...figures, faults: faults.length, unchecked: unchecked.length }));
  for (const line of [...faults, ...unchecked]) log(line);
  if (faults.length > 0) log('Remove the damaged files; the next backup saves again what the archive still has.');
  if (unchecked.length > 0) log('Not everything could be checked: remove nothing for that reason, and run the check again.');
  return { faults, unchecked };
}
