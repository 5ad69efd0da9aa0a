import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Whether the sample films are to be brought in: the archive never held a video, or a start that brought them was cut off. */
export async function awaitsSamples(db: Db): Promise<boolean> {
  await db.query(sql`
    insert into archive_facts (name, value)
    select 'samples', case when exists (select 1 from videos) then 'settled' else 'awaited' end
    on conflict (name) do nothing`);
  const { rows } = await db.query<{ value: string }>(sql`select value from archive_facts where name = 'samples'`);
  return rows[0]?.value === 'awaited';
}

/** Remembers for good that the samples are in, so that none comes back after it was deleted. */
export async function settleSamples(db: Db): Promise<void> {
  await db.query(sql`update archive_facts set value = 'settled' where name = 'samples'`);
}
