import type { Warning } from '#contract/status.ts';
import { inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/**
 * Calls `tell` with those of these that nobody was told of within a day, by one process at a time; they count as told when it returns.
 * When it throws, they come again at the next call.
 */
export async function tellOncePerDay(
  pool: Pool,
  warnings: readonly Warning[],
  tell: (due: readonly Warning[]) => Promise<void>,
): Promise<void> {
  await inTransaction(pool, async (db) => {
    const lock = await db.query<{ isOurs: boolean }>(sql`select pg_try_advisory_xact_lock(hashtext('alerts')) as "isOurs"`);
    if (!lock.rows[0]?.isOurs) return;
    await db.query(sql`delete from alerts where told_at < now() - interval '1 day'`);
    const { rows } = await db.query<{ about: string }>(sql`
      insert into alerts (about) select distinct unnest(${warnings.map(({ about }) => about)}::text[])
      on conflict do nothing returning about`);
    const abouts = new Set(rows.map(({ about }) => about));
    const due = warnings.filter(({ about }) => abouts.has(about));
    if (due.length > 0) await tell(due);
  });
}
