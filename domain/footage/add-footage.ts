import { rm, stat } from 'node:fs/promises';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { nullWhenAbsent } from '../files/null-when-absent.ts';
import type { FileStore } from '../files/store.ts';
import { videoKeys } from '../files/video-keys.ts';
import { ingestQueue } from '../jobs/ingest-queue.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { createVideo, findByContentHash, findFailedByContentHash, type NewVideo } from '../videos/create-video.ts';
import { refuseDeletedContent } from '../videos/deletions.ts';
import { retryFootage } from '../videos/footage.ts';

/** A file that is whole, hashed, and about to become a film. */
export interface FootageToAdd {
  readonly video: NewVideo;
  /** A file of this machine, which is moved into the archive. It may lie there already, where an earlier call was cut off. */
  readonly path: string;
  /** Puts what came beside it below this key. */
  readonly keepSidecars: (below: string) => Promise<void>;
  /** Writes what else belongs to it, in the transaction of its record, or for footage that the archive had, in one of its own. */
  readonly note?: (db: Db, added: AddedFootage) => Promise<void>;
}

export interface AddedFootage {
  readonly videoId: string;
  /** Whether the archive had the same content before. */
  readonly wasKnown: boolean;
}

/**
 * Takes a file in: safe in its place first, then its record and its job in one transaction. The same content is kept once, and taken up
 * again where it had failed. When this returns, a power cut takes nothing of it away. Throws a Problem where the same was deleted, which tells how
 * to bring it back, and `not_found` where the file was taken away meanwhile.
 */
export async function addFootage(
  archive: { pool: Pool; store: FileStore; queue: JobQueue },
  { video, path, keepSidecars, note = async () => {} }: FootageToAdd,
): Promise<AddedFootage> {
  const { pool, store, queue } = archive;
  const leave = async (added: AddedFootage) => {
    await inTransaction(pool, (db) => note(db, added));
    await rm(path, { force: true });
    return added;
  };
  await refuseDeletedContent(pool, video.contentHash);
  const known = await findByContentHash(pool, video.contentHash);
  if (known) return await leave({ videoId: known, wasKnown: true });
  const failed = await findFailedByContentHash(pool, video.contentHash);
  if (failed && (await store.stat(videoKeys(failed).original))) {
    await keepSidecars(videoKeys(failed).sidecars);
    await retryFootage(archive, failed);
    return await leave({ videoId: failed, wasKnown: false });
  }
  const keys = videoKeys(video.id);
  const asNew = { videoId: video.id, wasKnown: false };
  if (await stat(path).catch(nullWhenAbsent)) await store.put(keys.original, { path });
  else if (!(await store.stat(keys.original))) throw new Problem('not_found', `${video.fileName} is gone. Send it again.`);
  await keepSidecars(keys.sidecars);
  const created = await inTransaction(pool, async (db) => {
    const isNew = await createVideo(db, video);
    if (!isNew) return false;
    await queue.enqueue(ingestQueue, { videoId: video.id }, { db });
    await note(db, asNew);
    return true;
  });
  if (created) return asNew;
  // Somebody else brought the same content in between the look and the record.
  await store.remove(keys.all, 'The same content came in twice at the same time; the other copy is kept.');
  return await leave({ videoId: (await findByContentHash(pool, video.contentHash)) ?? video.id, wasKnown: true });
}
