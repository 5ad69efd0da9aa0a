import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/**
 * Lets a video that failed begin anew; the steps that succeeded are not done again. Its job has to be enqueued in the same transaction.
 * Answers false for a video that has not failed.
 */
export async function retryVideo(db: Db, videoId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update videos
       set state = 'Uploaded', failure_code = null, failure_message = null, processing_percent = 0, modified_at = now()
     where id = ${videoId} and state = 'Failed' and origin = 'file'`);
  await db.query(sql`delete from ingest_steps where video_id = ${videoId} and state <> 'done' and ${rowCount === 1}`);
  return rowCount === 1;
}
