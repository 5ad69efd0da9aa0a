import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import { pathOfKey } from './archive-files.ts';
import type { BackupFolder } from './backup-folder.ts';
import { ContentFault, readContent, readPackedContent } from './contents.ts';
import { type ListedFile, readFileList } from './file-list.ts';
import type { Snapshot } from './snapshot.ts';
import { syncFolder } from './write-durably.ts';

/**
 * Brings the files of a snapshot to their places, with their times; when this returns, a power cut no longer loses them. A file that is
 * there already was brought by an earlier try. Returns which are missing or damaged in the backup, a sentence each.
 */
export async function restoreFiles(archive: ArchiveFolder, from: BackupFolder, { files }: Snapshot): Promise<string[]> {
  const faults: string[] = [];
  const folders = new Set<string>();
  for await (const file of readFileList(readPackedContent(from, files))) {
    const path = pathOfKey(archive, file.key);
    if (!(await isThere(path, file))) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const fault = await restoreFile(path, from, file);
      if (fault) faults.push(fault);
    }
    for (let folder = dirname(path); folder.startsWith(archive.root) && !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  }
  for (const folder of folders) await syncFolder(folder);
  return faults;
}

/** A time is set before the name is: what has both is whole. */
async function isThere(path: string, { sizeBytes, modifiedMs }: ListedFile): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.size === sizeBytes && Math.abs(found.mtimeMs - modifiedMs) < 1;
}

async function restoreFile(path: string, from: BackupFolder, file: ListedFile): Promise<string | undefined> {
  const draft = `${path}.new`;
  try {
    {
      await using to = await open(draft, 'w', file.mode);
      for await (const chunk of readContent(from, file)) await to.writeFile(chunk);
      await to.utimes(file.modifiedMs / 1_000, file.modifiedMs / 1_000);
      await to.sync();
    }
    await rename(draft, path);
    return undefined;
  } catch (error) {
    await rm(draft, { force: true });
    if (!(error instanceof ContentFault)) throw error;
    return `${file.key} cannot be restored: ${error.message}`;
  }
}
