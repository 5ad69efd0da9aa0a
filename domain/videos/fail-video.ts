import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Gives a video up for good: its state, code and plain reason are kept, and search never sees it. A published or deleted one stays as it is: answers false. */
export async function failVideo(db: Db, failure: { videoId: string; code: string; message: string }): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update videos
       set state = 'Failed', failure_code = ${failure.code}, failure_message = ${failure.message}, modified_at = now()
     where id = ${failure.videoId} and state not in ('Processed', 'Quarantined')`);
  return rowCount === 1;
}
