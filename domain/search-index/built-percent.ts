import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

const notedEveryMs = 500;

/** How far the index is that is being built, of 100; null while none is, or nobody knows yet. */
export async function findBuiltPercent(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ percent: number | null }>(sql`select built_percent as percent from search_index`);
  return rows[0]?.percent ?? null;
}

/** Notes how far a build is, for whoever waits for it; now and then only, and without holding it up. */
export function makeBuiltPercentNoter(pool: Pool, now: () => number = () => performance.now()): (done: number, total: number) => void {
  let notedAtMs = Number.NEGATIVE_INFINITY;
  return (done, total) => {
    if (now() - notedAtMs < notedEveryMs) return;
    notedAtMs = now();
    const percent = Math.min(99, Math.floor((100 * done) / Math.max(1, total)));
    // The build goes on without; a database that is away ends it by its own statements.
    pool.query(sql`update search_index set built_percent = ${percent}`).catch(() => {});
  };
}
