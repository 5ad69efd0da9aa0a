import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { restoreMark } from '../db/open-database.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { writeDurably } from '../system/durable-file.ts';
import { parseJson } from '../system/parse-json.ts';
import { syncToDisk } from '../system/sync-to-disk.ts';
import { videoOfKey } from './archive-files.ts';
import type { BackupFolder } from './backup-folder.ts';
import { ensureRoom } from './backup-space.ts';
import { readPackedContent } from './contents.ts';
import { readFileList } from './file-list.ts';
import type { Snapshot } from './snapshot.ts';

/** A snapshot, and where it lies. */
interface Restorable {
  readonly folder: BackupFolder;
  readonly name: string;
  readonly snapshot: Snapshot;
}

/** What an empty disk has. */
const ofTheDisk = 'lost+found';
/** What an empty data folder may hold: it is the home of the archive's user as well, and npm writes there before any command begins. */
const beside: readonly string[] = [ofTheDisk, '.npm', '.cache'];

/** Which snapshot is being restored, and a name for this restore, which the database gets together with the rows. */
const Mark = z.object({ snapshot: z.string(), restore: z.string() });

/**
 * Makes the data folder ready for a restore of this snapshot, before its database is opened: from here until the restore has ended, no
 * server starts on it. Throws a sentence when the folder holds anything but what an earlier try at the same snapshot left and an empty
 * folder, mount or link for the media, when a store that machines share holds films, or when there is no room.
 */
export async function beginRestore(archive: ArchiveFiles, { folder: from, name, snapshot }: Restorable): Promise<void> {
  const { folder, store } = archive;
  await mkdir(folder.root, { recursive: true, mode: 0o700 });
  if (existsSync(markOf(archive))) {
    const { snapshot: begun } = await readRestoreMark(archive);
    if (begun === name) return;
    throw new Error(`${folder.root} contains part of another restore; finish that one with --snapshot ${begun}, or remove the folder.`);
  }
  if (!(await isEmpty(folder)))
    throw new Error(
      `${folder.root} is not empty; an archive can only be restored into an empty data folder. Set RUSHES_DATA to another one.`,
    );
  const { length: held } = store.isShared ? await store.listVideos() : [];
  if (held > 0)
    throw new Error(
      `The bucket of RUSHES_S3_BUCKET holds the files of ${held} videos; an archive can only be restored into an empty one. Name another bucket, or leave RUSHES_S3_* out to restore into the data folder.`,
    );
  if (!store.isShared) await ensureRoomForAll(folder, from, snapshot);
  await writeDurably(markOf(archive), `${JSON.stringify({ snapshot: name, restore: randomUUID() })}\n`);
}

/** The mark of the restore that was begun in this data folder. Throws a sentence when it cannot be read. */
export async function readRestoreMark(archive: ArchiveFiles): Promise<z.infer<typeof Mark>> {
  const mark = Mark.safeParse(parseJson(await readFile(markOf(archive), 'utf8')));
  if (!mark.success) throw new Error(`${markOf(archive)} is damaged; remove ${archive.folder.root} and restore again.`);
  return mark.data;
}

/** Takes the mark away: servers start on this data folder from here on. */
export async function endRestore(archive: ArchiveFiles): Promise<void> {
  await rm(markOf(archive));
  await syncToDisk(archive.folder.root);
}

function markOf({ folder }: ArchiveFiles): string {
  return join(folder.root, restoreMark);
}

async function isEmpty({ root, media }: ArchiveFolder): Promise<boolean> {
  const others = (await readdir(root)).filter((entry) => !beside.includes(entry));
  if (others.some((entry) => entry !== basename(media))) return false;
  return others.length === 0 || (await readdir(media)).every((entry) => entry === ofTheDisk);
}

/** The media may have a disk of their own: then each disk has to hold its share. */
async function ensureRoomForAll({ root, media }: ArchiveFolder, from: BackupFolder, { files }: Snapshot): Promise<void> {
  if (!existsSync(media) || (await stat(media)).dev === (await stat(root)).dev) return await ensureRoom(root, files.totalBytes);
  let mediaBytes = 0;
  for await (const { key, sizeBytes } of readFileList(readPackedContent(from, files)))
    if (videoOfKey(key) !== null) mediaBytes += sizeBytes;
  await ensureRoom(media, mediaBytes);
  await ensureRoom(root, files.totalBytes - mediaBytes);
}
