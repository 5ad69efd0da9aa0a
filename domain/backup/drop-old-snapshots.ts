import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../db/error-code.ts';
import type { BackupFolder } from './backup-folder.ts';
import { readPackedContent } from './contents.ts';
import { readFileList } from './file-list.ts';
import { listSnapshots, readSnapshot } from './snapshot.ts';

/**
 * Removes all snapshots but the newest `keep`, and the contents that none of those names. Throws, and removes no content, when one that
 * stays cannot be read: nobody knows then what it needs.
 */
export async function dropOldSnapshots(folder: BackupFolder, keep: number): Promise<string[]> {
  const names = await listSnapshots(folder);
  const dropped = names.slice(0, -keep);
  if (dropped.length === 0) return [];
  const needed = new Set<string>();
  for (const name of names.slice(-keep)) await addContentsOf(folder, name, needed);
  for (const name of dropped) await rm(folder.snapshot(name));
  for (const group of await readdir(folder.contents)) {
    const found = await readdir(join(folder.contents, group)).catch((error: unknown) => {
      if (errorCode(error) === 'ENOTDIR') return [];
      throw error;
    });
    for (const sha256 of found) {
      if (/^[0-9a-f]{64}$/.test(sha256) && !needed.has(sha256)) await rm(folder.content(sha256));
    }
  }
  return dropped;
}

async function addContentsOf(folder: BackupFolder, name: string, needed: Set<string>): Promise<void> {
  const { database, files } = await readSnapshot(folder, name);
  for (const { sha256 } of [...database.tables, files]) needed.add(sha256);
  for await (const { sha256 } of readFileList(readPackedContent(folder, files))) needed.add(sha256);
}
