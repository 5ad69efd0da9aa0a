import type { UnfoundPage } from '#contract/unfound.ts';
import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Queries that failed visitors: those that failed most often first, then the latest. */
export async function listUnfound(pool: Pool, { skip, pageSize }: { skip: number; pageSize: number }): Promise<UnfoundPage> {
  const { rows } = await pool.query<UnfoundRow>(sql`
    select text, found_nothing as "foundNothing", opened_nothing as "openedNothing", last_at as "lastAt"
      from unfound_queries
     order by (found_nothing + opened_nothing) desc, last_at desc, folded
     limit ${pageSize} offset ${skip}`);
  const { rows: counted } = await pool.query<{ total: number }>(sql`select count(*) as total from unfound_queries`);
  return { queries: rows.map((row) => ({ ...row, lastAt: row.lastAt.toISOString() })), total: counted[0]?.total ?? 0 };
}

interface UnfoundRow {
  readonly text: string;
  readonly foundNothing: number;
  readonly openedNothing: number;
  readonly lastAt: Date;
}
