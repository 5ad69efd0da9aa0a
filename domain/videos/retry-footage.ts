import { Problem } from '#contract/problem.ts';
import { inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { FileStore } from '../files/store.ts';
import { videoKeys } from '../files/video-keys.ts';
import { ingestQueue } from '../jobs/ingest-queue.ts';
import type { JobQueue } from '../jobs/job-queue.ts';

/**
 * Lets a video that failed begin anew; the steps that succeeded are not done again, but for those that read what came with it. Throws a Problem for one that has not failed, and for
 * one whose original is not in its place.
 */
export async function retryFootage(
  { pool, store, queue }: { pool: Pool; store: FileStore; queue: JobQueue },
  videoId: string,
): Promise<void> {
  const { all, original } = videoKeys(videoId);
  if (!(await store.stat(original))) {
    const taken = (await store.trash.list()).find(({ key }) => key === all);
    throw new Problem(
      'conflict',
      taken
        ? `Its original lies in the trash. An operator brings it back: npm run trash -- restore ${taken.name}`
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
  });
}
