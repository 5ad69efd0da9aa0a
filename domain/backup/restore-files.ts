import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nullWhenAbsent } from '../files/null-when-absent.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { syncFoldersUpTo } from '../files/sync-to-disk.ts';
import { ownPath, videoOfKey } from './archive-files.ts';
import type { BackupFolder } from './backup-folder.ts';
import { ContentFault, readContent, readPackedContent } from './contents.ts';
import { isUnchanged, type ListedFile, readFileList } from './file-list.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Brings the files of a snapshot to their places, with their times; when this returns, a power cut no longer loses them. A file that is
 * there already was brought by an earlier try. Returns which are missing or damaged in the backup, a sentence each.
 */
export async function restoreFiles(archive: ArchiveFiles, from: BackupFolder, { files }: Snapshot): Promise<string[]> {
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
