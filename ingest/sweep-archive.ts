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
  for (const id of await unknownVideoIds(pool, await store.listVideos())) {
    if (Date.now() - (await lastCameMs(store, id)) < settledAfterMs) continue;
    const taken = await store.remove(videoKeys(id).all, 'The database knows no such video.');
    if (taken) log(`sweep: the database knows no video ${id}; its files lie in the trash as ${taken.name}`);
  }
}

/** When the newest of a video's files came. */
async function lastCameMs(store: FileStore, id: string): Promise<number> {
  let newest = 0;
  for await (const { modifiedAt } of store.list(videoKeys(id).all)) newest = Math.max(newest, modifiedAt.getTime());
  return newest;
}
