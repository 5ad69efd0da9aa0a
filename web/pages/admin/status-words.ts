import type { BackupState } from '#contract/archive.ts';
import type { WorkQueue } from '#contract/status.ts';

export const queueNames: Readonly<Record<WorkQueue['name'], string>> = {
  playable: 'To be made playable',
  understood: 'To be understood',
  index: 'To be found as they are now',
};

/** `1.9 GB`, `340 MB`. */
export function bytesWords(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'] as const;
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0 })} ${units[unit]}`;
}

/** `40 s`, `12 min`, `3 hours`, `2 days`: from one instant to the other. */
export function sinceWords(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000));
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** How the archive stands with its backups. */
export function backupWords(is: BackupState['is']): string {
  return { unneeded: 'nothing to keep yet', never: 'never made', fine: 'fine', late: 'too old', failed: 'failed' }[is];
}
