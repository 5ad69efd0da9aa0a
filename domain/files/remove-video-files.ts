import { rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ArchiveFolder } from './archive-folder.ts';

/** Removes everything of a video from the disk, and the folder above when it is empty then. */
export async function removeVideoFiles(folder: ArchiveFolder, videoId: string): Promise<void> {
  const { root } = folder.video(videoId);
  await rm(root, { recursive: true, force: true });
  // Other videos may lie beside it.
  await rmdir(dirname(root)).catch(() => {});
}
