import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Pool } from '../db/database.ts';
import { restoreMark } from '../db/open-database.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { parseJson } from '../files/parse-json.ts';
import { syncToDisk } from '../files/sync-to-disk.ts';
import type { BackupFolder } from './backup-folder.ts';
import { ensureRoom } from './backup-space.ts';
import { isEmptyDatabase, loadDatabase, wasLoadedBy } from './load-database.ts';
import { restoreFiles } from './restore-files.ts';
import type { Snapshot } from './snapshot.ts';
import { writeDurably } from './write-durably.ts';

export interface RestoreRun {
  readonly rows: number;
  readonly files: number;
  /** Files that could not be restored, a sentence each. */
  readonly faults: readonly string[];
  /** What was left out on purpose, in sentences. */
  readonly remarks: readonly string[];
}

/** Which snapshot is being restored, and a name for this restore, which the database gets together with the rows. */
const Mark = z.object({ snapshot: z.string(), restore: z.string() });

/**
 * Makes the data folder ready for a restore of this snapshot, before its database is opened: from here until the restore has ended, no
 * server starts on it. Throws a sentence when the folder holds anything but what an earlier try at the same snapshot left.
 */
export async function beginRestore(archive: ArchiveFiles, name: string, { files }: Snapshot): Promise<void> {
  const mark = join(archive.folder.root, restoreMark);
  await mkdir(archive.folder.root, { recursive: true, mode: 0o700 });
  if (existsSync(mark)) {
    const { snapshot } = await readMark(archive);
    if (snapshot === name) return;
    throw new Error(`${archive.folder.root} holds part of another restore; end that one by --snapshot ${snapshot}, or remove the folder.`);
  }
  if ((await readdir(archive.folder.root)).some((entry) => entry !== 'lost+found'))
    throw new Error(
      `${archive.folder.root} is not empty; an archive is restored into an empty data folder only. Name another one by RUSHES_DATA.`,
    );
  await ensureRoom(archive.folder.root, files.totalBytes);
  await writeDurably(mark, `${JSON.stringify({ snapshot: name, restore: randomUUID() })}\n`);
}

/**
 * Restores a snapshot into a data folder that `beginRestore` made ready and an empty database: the files first, each compared with its
 * hash, then the rows in one transaction. A file that the backup lacks is left out and told. Killed at any moment, it can be run again.
 */
export async function restoreArchive(options: {
  pool: Pool;
  archive: ArchiveFiles;
  from: BackupFolder;
  snapshot: Snapshot;
  say: (line: string) => void;
}): Promise<RestoreRun> {
  const { pool, archive, from, snapshot, say } = options;
  const { restore } = await readMark(archive);
  const isLoaded = await wasLoadedBy(pool, restore);
  if (!isLoaded && !(await isEmptyDatabase(pool)))
    throw new Error('The database is not empty; an archive is restored into an empty database only.');
  say(`Restoring ${snapshot.files.count} files`);
  const faults = await restoreFiles(archive, from, snapshot);
  say('Restoring the database');
  const remarks = isLoaded ? [] : await loadDatabase(pool, from, { dump: snapshot.database, restore });
  await rm(join(archive.folder.root, restoreMark));
  await syncToDisk(archive.folder.root);
  const rows = snapshot.database.tables.reduce((sum, table) => sum + table.rows, 0);
  return { rows, files: snapshot.files.count - faults.length, faults, remarks };
}

async function readMark(archive: ArchiveFiles): Promise<z.infer<typeof Mark>> {
  const mark = Mark.safeParse(parseJson(await readFile(join(archive.folder.root, restoreMark), 'utf8')));
  if (!mark.success)
    throw new Error(`${join(archive.folder.root, restoreMark)} is damaged; remove ${archive.folder.root} and restore again.`);
  return mark.data;
}
