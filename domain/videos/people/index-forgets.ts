import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** What the index still holds of somebody who was forgotten: in rows that count no more, in words beside the tables, in earlier versions. */
interface Forgetting {
  /** Tells this note from a later one. */
  readonly noted: string;
  /** Whether it has waited so long that it goes before everything else. */
  readonly isUrgent: boolean;
}

/** Notes that the index holds something of somebody who was forgotten, or of a film that was erased, and has to be built anew. */
export async function noteForgetting(db: Db): Promise<void> {
  await db.query(sql`
    insert into archive_facts (name, value) values ('index_forgets', now()::text)
    on conflict (name) do update set value = excluded.value`);
}

/** Whether the index has to be built anew because somebody was forgotten; null where it holds nothing of anybody who was. */
export async function findForgetting(db: Db): Promise<Forgetting | null> {
  const { rows } = await db.query<Forgetting>(sql`
    select value as noted, value::timestamptz < now() - interval '12 hours' as "isUrgent" from archive_facts where name = 'index_forgets'`);
  return rows[0] ?? null;
}

/** Notes that an index counts whose building began after this note; a later one stays. */
export async function endForgetting(db: Db, { noted }: Forgetting): Promise<void> {
  await db.query(sql`delete from archive_facts where name = 'index_forgets' and value = ${noted}`);
}
