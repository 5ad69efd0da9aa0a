import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

interface Failure {
  readonly videoId: string;
  readonly code: string;
  readonly message: string;
  /** Of the file that is to blame, where one is. */
  readonly contentHash?: string | null;
}

/**
 * Gives a video up for good: its state, code and plain reason are kept, and search never sees it. A published or deleted one stays as it is, and one that has
 * another file by now: answers false.
 */
export async function failVideo(db: Db, failure: Failure): Promise<boolean> {
  const { contentHash = null } = failure;
  const { rowCount } = await db.query(sql`
    update videos
       set state = 'Failed', failure_code = ${failure.code}, failure_message = ${failure.message}, modified_at = now()
     where id = ${failure.videoId} and state not in ('Processed', 'Quarantined')
       and (${contentHash}::text is null or content_hash = ${contentHash})`);
  return rowCount === 1;
}
