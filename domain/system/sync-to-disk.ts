import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** When this returns, a power cut no longer takes away what the file, or the names in the folder, held before. */
export async function syncToDisk(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** The same for a folder with everything below it. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? syncTree(path) : syncToDisk(path));
  }
  await syncToDisk(folder);
}

/** The same for the names of all folders from `path` up to `top`: a file in a folder whose own name is lost is lost as well. */
export async function syncFoldersUpTo(top: string, path: string): Promise<void> {
  for (let folder = path; ; folder = dirname(folder)) {
    await syncToDisk(folder);
    if (folder === top || folder === dirname(folder)) return;
  }
}
