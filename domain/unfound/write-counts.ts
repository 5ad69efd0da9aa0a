import type { Pool } from '../db/database.ts';
import { retryLostRace } from '../db/retry-lost-race.ts';
import { sql } from '../db/sql.ts';

/** What came to a query since the last write. */
export interface CountedQuery {
  readonly folded: string;
  readonly text: string;
  readonly foundNothing: number;
  /** May be below zero: openings of searches that were written before. */
  readonly openedNothing: number;
  readonly lastAt: Date;
}

/** Queries that are kept; of more than these, those that failed least go, the oldest of them first. */
const keptMax = 20_000;

/** Adds counts to those of before, in one statement. An opening alone begins no row, and one that leaves nothing failing ends it. */
export async function writeCounts(pool: Pool, counts: readonly CountedQuery[], atMost = keptMax): Promise<void> {
  await retryLostRace(() =>
    pool.query(sql`
    with counted as (
      select * from unnest(
        ${counts.map(({ folded }) => folded)}::text[], ${counts.map(({ text }) => text)}::text[],
        ${counts.map(({ foundNothing }) => foundNothing)}::bigint[], ${counts.map(({ openedNothing }) => openedNothing)}::bigint[],
        ${counts.map(({ lastAt }) => lastAt)}::timestamptz[]) as c (folded, text, found_nothing, opened_nothing, last_at)
    ), failed as (
      insert into unfound_queries as u (folded, text, found_nothing, opened_nothing, last_at)
      select folded, text, found_nothing, greatest(opened_nothing, 0), last_at
        from counted where found_nothing > 0 or opened_nothing > 0 order by folded
          on conflict (folded) do update set
             text = excluded.text, last_at = greatest(u.last_at, excluded.last_at),
             found_nothing = u.found_nothing + excluded.found_nothing,
             opened_nothing = greatest(0, u.opened_nothing
               + (select c.opened_nothing from counted c where c.folded = excluded.folded))
    )
    merge into unfound_queries u
    using (select * from counted where found_nothing = 0 and opened_nothing < 0 order by folded) c on u.folded = c.folded
     when matched and u.found_nothing = 0 and u.opened_nothing + c.opened_nothing <= 0 then delete
     when matched then update set opened_nothing = greatest(0, u.opened_nothing + c.opened_nothing)`),
  );
  await pool.query(sql`
    delete from unfound_queries where folded in (
      select folded from unfound_queries order by (found_nothing + opened_nothing) desc, last_at desc, folded offset ${atMost})`);
}
