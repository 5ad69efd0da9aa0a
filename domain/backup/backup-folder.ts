import { join, resolve } from 'node:path';

/**
 * Where things lie in a folder of backups. Contents are kept once, named by their SHA-256; a snapshot is one file that names
 * the contents it is made of, so that it is there as a whole or not at all.
 */
export interface BackupFolder {
  readonly root: string;
  /** Says that this folder holds backups, and of which archive. */
  readonly label: string;
  readonly snapshots: string;
  readonly contents: string;
  /** What a backup under way has begun; what a killed one left there is taken up by the next. */
  readonly incoming: string;
  content(sha256: string): string;
  snapshot(name: string): string;
}

/** The places of a folder of backups. `content` and `snapshot` throw for what is no name of ours. */
export function backupFolder(path: string): BackupFolder {
  const root = resolve(path);
  return {
    root,
    label: join(root, 'rushes-backup.json'),
    snapshots: join(root, 'snapshots'),
    contents: join(root, 'files'),
    incoming: join(root, 'incoming'),
    content: (sha256) => {
      if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('not a SHA-256');
      return join(root, 'files', sha256.slice(0, 2), sha256);
    },
    snapshot: (name) => {
      if (!snapshotName.test(name)) throw new Error(`"${name}" is no name of a snapshot; they look like 2026-03-04T05-06-07.089Z`);
      return join(root, 'snapshots', `${name}.json`);
    },
  };
}

/** Names of snapshots sort by time. */
export const snapshotName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;
