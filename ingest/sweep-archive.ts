import type { Pool } from '#domain/db/database.ts';
import type { ArchiveFolder } from '#domain/files/archive-folder.ts';
import { removeVideoFiles } from '#domain/files/remove-video-files.ts';
import { settledVideoIds, sweepLeftovers } from '#domain/files/sweep.ts';
import { idsWithoutFootage } from '#domain/videos/create-video.ts';

/** Removes what crashes have left on disk: old stage and work files, and folders of videos that do not exist. */
export async function sweepArchive(pool: Pool, folder: ArchiveFolder): Promise<void> {
  await sweepLeftovers(folder);
  for (const id of await idsWithoutFootage(pool, await settledVideoIds(folder))) {
    await removeVideoFiles(folder, id);
  }
}
