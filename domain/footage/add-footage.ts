import { rm, stat } from 'node:fs/promises';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { nullWhenAbsent } from '../files/null-when-absent.ts';
import type { FileStore } from '../files/store.ts';
import { videoKeys } from '../files/video-keys.ts';
import { ingestQueue } from '../jobs/ingest-queue.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { createVideo, findByContentHash, findFailedByContentHash, type NewVideo } from '../videos/create-video.ts';
import { refuseDeletedContent } from '../videos/deletions.ts';
import { retryFootage } from '../videos/footage.ts';
import { requireReplaceable, type Upload } from './uploads.ts';

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

interface Replacing {
  readonly upload: Upload;
  /** Where the new file lies; in the film's place already, where an earlier call was cut off. */
  readonly path: string;
  readonly contentHash: string;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Puts another file in the place of a film's: under the same id and address, with corrections as they are. The old one goes to the trash; what was made of it
 * plays and is found until the steps have done the new one, each of which puts what it finds in the place of what it found. May be called again after it was cut off.
 * Throws a Problem where another film has the same content, and where the film is gone by now.
 */
export async function replaceFootage(
  { pool, store, queue }: { pool: Pool; store: FileStore; queue: JobQueue },
  { upload, path, contentHash, actorUid, from }: Replacing,
): Promise<AddedFootage> {
  const videoId = await requireReplaceable(pool, upload.videoId);
  const { rows } = await pool.query<{ id: string; name: string }>(sql`select id, name from videos where content_hash = ${contentHash}`);
  const [same] = rows;
  if (same && same.id !== videoId) {
    await refuseDeletedContent(pool, contentHash);
    throw new Problem('conflict', `“${same.name}” has this very file already. Delete one of the two films instead.`);
  }
  const { original } = videoKeys(videoId);
  if (await stat(path).catch(nullWhenAbsent)) {
    if (await store.stat(original)) await store.remove(original, `“${upload.fileName}” came in its place.`);
    await store.put(original, { path });
  }
  await inTransaction(pool, async (db) => {
    const { rows: before } = await db.query<{ fileName: string }>(sql`
      select file_name as "fileName" from videos where id = ${videoId} and state <> 'Quarantined' for update`);
    const { rowCount } = await db.query(sql`update uploads set finished_at = now(), became = ${videoId} where id = ${upload.id}`);
    if (!before[0] || rowCount !== 1) throw new Problem('not_found', `${upload.fileName} was cancelled meanwhile. Send it again.`);
    await recordFilmActivity(db, {
      ...{ action: 'film-replaced', actorUid, videoId, before: before[0].fileName, detail: upload.fileName, from },
    });
    await db.query(sql`
      update videos
         set content_hash = ${contentHash}, file_name = ${upload.fileName}, size_bytes = ${upload.sizeBytes}, modified_at = now(),
             state = case when state = 'Processed' then state else 'Uploaded' end, failure_code = null, failure_message = null,
             processing_percent = case when state = 'Processed' then 100 else 0 end
       where id = ${videoId}`);
    // A worker that is at one of them now is at the old file, and notes nothing of it.
    await db.query(sql`delete from step_pieces where video_id = ${videoId}`);
    await db.query(sql`
      insert into ingest_steps (video_id, step, state) select ${videoId}, name, 'waiting' from steps
      on conflict (video_id, step) do update set state = 'waiting', attempts = 0, percent = 0, message = null, details = null, failure_code = null`);
    await queue.enqueue(ingestQueue, { videoId }, { db });
  });
  return { videoId, wasKnown: false };
}
