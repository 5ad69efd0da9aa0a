import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** How many published videos search has not seen as they are now. */
export async function countUnindexed(db: Db): Promise<number> {
  const { rows } = await db.query<{ n: number }>(sql`
    select count(*)::int as n from videos where state = 'Processed' and indexed_revision <> revision`);
  return rows[0]?.n ?? 0;
}
