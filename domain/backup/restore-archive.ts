import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Pool } from '../db/database.ts';
import { restoreMark } from '../db/open-database.ts';
import { addKeptErasures, readKeptErasures } from '../files/kept-erasures.ts';
import { nullWhenAbsent } from '../files/null-when-absent.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { parseJson } from '../files/parse-json.ts';
import { syncFoldersUpTo, syncToDisk } from '../files/sync-to-disk.ts';
import { ownPath, videoOfKey } from './archive-files.ts';
import type { BackupFolder } from './backup-folder.ts';
import { ensureRoom } from './backup-space.ts';
import { ContentFault, readContent, readPackedContent } from './contents.ts';
import { isUnchanged, type ListedFile, readFileList } from './file-list.ts';
import { isEmptyDatabase, loadDatabase, wasLoadedBy } from './load-database.ts';
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
  // Who was forgotten since goes with the first start, before anything is served: the rows may be those of an older version.
  await addKeptErasures(archive.folder.root, await readKeptErasures(from.root));
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

/**
 * Brings the files of a snapshot to their places, with their times; when this returns, a power cut no longer loses them. A file that is
 * there already was brought by an earlier try. Returns which are missing or damaged in the backup, a sentence each.
 */
async function restoreFiles(archive: ArchiveFiles, from: BackupFolder, { files }: Snapshot): Promise<string[]> {
  const faults: string[] = [];
  await mkdir(archive.folder.stage, { recursive: true, mode: 0o700 });
  for await (const file of readFileList(readPackedContent(from, files))) {
    if (await isThere(archive, file)) continue;
    const fault = await restoreFile(archive, from, file);
    if (fault) faults.push(fault);
  }
  return faults;
}

/** A file has its time before it has its name: what has both is whole. */
async function isThere({ folder, store }: ArchiveFiles, file: ListedFile): Promise<boolean> {
  if (videoOfKey(file.key) !== null) {
    const found = await store.stat(file.key);
    return found !== null && isUnchanged(file, { ...found, modifiedMs: found.modifiedAt.getTime() });
  }
  const found = await stat(ownPath(folder, file.key)).catch(nullWhenAbsent);
  return found !== null && isUnchanged(file, { sizeBytes: found.size, modifiedMs: found.mtime.getTime() });
}

async function restoreFile({ folder, store }: ArchiveFiles, from: BackupFolder, file: ListedFile): Promise<string | undefined> {
  const draft = join(folder.stage, randomUUID());
  try {
    await writeDraft(draft, from, file);
    if (videoOfKey(file.key) !== null) await store.put(file.key, { path: draft });
    else await settle(draft, folder.root, ownPath(folder, file.key));
    return undefined;
  } catch (error) {
    await rm(draft, { force: true });
    if (!(error instanceof ContentFault)) throw error;
    return `${file.key} cannot be restored: ${error.message}`;
  }
}

async function writeDraft(draft: string, from: BackupFolder, file: ListedFile): Promise<void> {
  await using to = await open(draft, 'wx', 0o600);
  for await (const chunk of readContent(from, file)) await to.writeFile(chunk);
  await to.utimes(file.modifiedMs / 1_000, file.modifiedMs / 1_000);
  await to.sync();
}

async function settle(draft: string, root: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rename(draft, path);
  await syncFoldersUpTo(root, dirname(path));
}
