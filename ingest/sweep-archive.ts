import type { Pool } from '#domain/db/database.ts';
import type { ArchiveFolder } from '#domain/files/archive-folder.ts';
import type { FileStore } from '#domain/files/store.ts';
import { sweepLeftovers } from '#domain/files/sweep.ts';
import { videoKeys } from '#domain/files/video-keys.ts';
import { unknownVideoIds } from '#domain/videos/unknown-video-ids.ts';

const settledAfterMs = 24 * 60 * 60 * 1_000;

/**
 * Removes the scratch that crashes have left, and takes the files of videos that the database has not known for a day into the trash:
 * an import that was cut off leaves such files, and so does a database that is not the one of these media.
 */
export async function sweepArchive(
  { pool, folder, store }: { pool: Pool; folder: ArchiveFolder; store: FileStore },
  log: (line: string) => void,
): Promise<void> {
  await sweepLeftovers(folder);
  const settledBefore = Date.now() - settledAfterMs;
  const settled = (await store.listVideos()).filter(({ touchedAt }) => touchedAt.getTime() < settledBefore);
  const unknown = await unknownVideoIds(
    pool,
    settled.map(({ id }) => id),
  );
  for (const id of unknown) {
    const taken = await store.remove(videoKeys(id).all, 'The database knows no such video.');
    if (taken) log(`sweep: the database knows no video ${id}; its files lie in the trash as ${taken.name}`);
  }
}
