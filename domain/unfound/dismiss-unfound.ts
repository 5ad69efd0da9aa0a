import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { queryKey } from './query-key.ts';

/** Takes a query off the list of those that failed; it comes back when it fails again. One that is not there is no error. */
export async function dismissUnfound(pool: Pool, text: string): Promise<void> {
  await pool.query(sql`delete from unfound_queries where folded = ${queryKey(text)?.folded ?? ''}`);
}
