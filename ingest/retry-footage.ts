import { inTransaction, type Pool } from '#domain/db/database.ts';
import type { JobQueue } from '#domain/jobs/job-queue.ts';
import { retryVideo } from '#domain/videos/retry-video.ts';
import { ingestQueue } from './work-on-videos.ts';

/** Puts a video that failed back into the queue. Answers false for one that has not failed. */
export async function retryFootage({ pool, queue }: { pool: Pool; queue: JobQueue }, videoId: string): Promise<boolean> {
  return await inTransaction(pool, async (db) => {
    const isRetried = await retryVideo(db, videoId);
    if (isRetried) await queue.enqueue(ingestQueue, { videoId }, { db });
    return isRetried;
  });
}
