import { Problem } from '#contract/problem.ts';
import type { VideoState } from '#contract/video-service/answers.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { ingestQueue } from '../jobs/ingest-queue.ts';
import { withVideoClaim } from '../jobs/worker-lease.ts';
import type { FilmArchive } from './film-archive.ts';
import { dropAllPieces } from './step-pieces.ts';

export interface Footage {
  readonly id: string;
  readonly state: VideoState;
  readonly name: string;
  /** What the file was called when it came in; never part of a path. */
  readonly fileName: string;
  readonly language: string;
  /** Of its original; null for a record without one. */
  readonly contentHash: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly processingPercent: number;
  /** Whether search has seen the video as it is now. */
  readonly isIndexed: boolean;
}

/** A video as ingest sees it. */
export async function findFootage(db: Db, id: string): Promise<Footage | undefined> {
  const { rows } = await db.query<Footage>(sql`
    select id, state, name, file_name as "fileName", language, content_hash as "contentHash", failure_code as "failureCode", failure_message as "failureMessage",
           processing_percent as "processingPercent", indexed_revision = revision as "isIndexed"
      from videos where id = ${id}`);
  return rows[0];
}

interface FailedFootage {
  readonly id: string;
  readonly name: string;
  readonly failureCode: string;
  readonly failureMessage: string;
}

/** Films that could not be ingested, oldest first, with the reason. */
export async function listFailedFootage(db: Db): Promise<FailedFootage[]> {
  const { rows } = await db.query<FailedFootage>(sql`
    select id, name, coalesce(failure_code, '') as "failureCode", coalesce(failure_message, '') as "failureMessage"
      from videos where state = 'Failed' and origin = 'file' order by created_at, id`);
  return rows;
}

/** A video of whose files none should be there, and why. */
interface WithoutFootage {
  readonly id: string;
  /** Null for one that the database does not know; else why it was refused. */
  readonly refusedFor: string | null;
}

/** Of a row `v` of videos: what was given for it lies in the trash, where it is not gone from there. */
export const wasRefused = sql`
  (v.state = 'Failed' and coalesce(v.failure_code, 'processing_failed') not in ('processing_failed', 'processing_timeout', 'cancelled'))`;

/**
 * Which of these videos have no place for files: those that the database does not know at all, and those that were refused by a worker
 * which died before it could move them. A film that failed for another reason keeps its own, and so does one whose upload is yet to be finished.
 */
export async function findVideosWithoutFootage(db: Db, ids: readonly string[]): Promise<WithoutFootage[]> {
  const { rows } = await db.query<WithoutFootage>(sql`
    select t.id, v.failure_code || ': ' || v.failure_message as "refusedFor"
      from unnest(${ids}::text[]) as t (id)
      left join videos v on v.id = t.id
     where (v.id is null and not exists (select from uploads u where u.video_id = t.id and u.finished_at is null))
        or ${wasRefused}`);
  return rows;
}

type Archive = Pick<FilmArchive, 'pool' | 'store' | 'queue'>;

/**
 * Lets a video that failed begin anew; the steps that succeeded are not done again, but for those that read what came with it. Throws a Problem for one that has not failed, for
 * one whose original is not in its place, and `unavailable` while somebody has it in hand.
 */
export async function retryFootage(archive: Archive, videoId: string): Promise<void> {
  await withFilmInHand(archive.pool, videoId, () => beginAgain(archive, videoId));
}

/** Does something with a film while nobody else does. Throws `unavailable` while somebody has it: a worker that stops, or takes away what it refused. */
export async function withFilmInHand<T>(pool: Pool, videoId: string, work: () => Promise<T>): Promise<T> {
  const done = await withVideoClaim(pool, videoId, async () => ({ is: await work() }));
  if (!done) throw new Problem('unavailable', 'The archive is still busy with this video. Try again.', { retryAfterSeconds: 2 });
  return done.is;
}

/** The same, for whoever has the film in hand. `note` writes in the same transaction what else belongs to it. */
export async function beginAgain(
  { pool, store, queue }: Archive,
  videoId: string,
  note: (db: Db) => Promise<void> = async () => {},
): Promise<void> {
  const { all, original } = toVideoKeys(videoId);
  if (!(await store.stat(original))) {
    const taken = (await store.trash.list(videoId)).find(({ key }) => key === all);
    throw new Problem(
      'conflict',
      taken
        ? `Its original is in the trash. An operator can put it back: npm run trash -- restore ${taken.name}`
        : 'Its original is not in the archive. Import the file again.',
    );
  }
  await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(sql`
      update videos
         set state = 'Uploaded', failure_code = null, failure_message = null, processing_percent = 0, modified_at = now()
       where id = ${videoId} and state = 'Failed' and origin = 'file'`);
    if (rowCount !== 1) throw new Problem('conflict', 'This video has not failed, so there is nothing to try again.');
    // What came with it may be other by now: the same film was brought in once more, with other files beside it.
    await db.query(sql`
      delete from ingest_steps where video_id = ${videoId} and (state <> 'done' or step in ('facts', 'captions', 'publish'))`);
    await queue.enqueue(ingestQueue, { videoId }, { db });
    await note(db);
  });
}

interface CameAgain {
  /** Puts its original in its place, where it is not there. */
  readonly bring: () => Promise<void>;
  /** Puts what came beside it below this key. */
  readonly keepSidecars: (below: string) => Promise<void>;
  readonly note: (db: Db) => Promise<void>;
}

/**
 * Lets a video that failed begin anew because its file came again, with all that was said of it: what was refused lies in the trash, and
 * with it what its steps had made, so that these are done again. Throws as `retryFootage` does.
 */
export async function takeUpFootage(archive: Archive, videoId: string, { bring, keepSidecars, note }: CameAgain): Promise<void> {
  const { pool, store } = archive;
  const keys = toVideoKeys(videoId);
  await withFilmInHand(pool, videoId, async () => {
    if (!(await store.stat(keys.original))) {
      await pool.query(sql`
        delete from ingest_steps where video_id = ${videoId} and exists (select from videos where id = ${videoId} and state = 'Failed')`);
      await dropAllPieces(pool, videoId);
      await bring();
    }
    await keepSidecars(keys.sidecars);
    await beginAgain(archive, videoId, note);
  });
}
