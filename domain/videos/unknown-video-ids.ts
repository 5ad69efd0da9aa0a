import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Which of these ids belong to no video at all, whatever its state. */
export async function unknownVideoIds(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select id from unnest(${ids}::text[]) as t (id) where not exists (select 1 from videos where videos.id = t.id)`);
  return rows.map(({ id }) => id);
}
