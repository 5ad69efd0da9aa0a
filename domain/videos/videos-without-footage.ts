import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** A video of whose files none should be there, and why. */
export interface WithoutFootage {
  readonly id: string;
  /** Null for one that the database does not know; else why it was refused. */
  readonly refusedFor: string | null;
}

/**
 * Which of these videos have no place for files: those that the database does not know at all, and those that were refused by a worker
 * which died before it could move them. A film that failed for another reason keeps its own.
 */
export async function videosWithoutFootage(db: Db, ids: readonly string[]): Promise<WithoutFootage[]> {
  const { rows } = await db.query<WithoutFootage>(sql`
    select t.id, v.failure_code || ': ' || v.failure_message as "refusedFor"
      from unnest(${ids}::text[]) as t (id)
      left join videos v on v.id = t.id
     where v.id is null or (v.state = 'Failed' and v.failure_code not in ('processing_failed', 'processing_timeout', 'cancelled'))`);
  return rows;
}
