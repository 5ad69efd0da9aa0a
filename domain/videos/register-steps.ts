import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** A step as the archive knows it: what a worker can do with a film. */
export interface KnownStep {
  readonly name: string;
  readonly version: number;
  readonly class: 'playable' | 'understood';
  readonly optional: boolean;
}

/** Tells the archive what its workers can do, in order; what was told before goes. */
export async function registerSteps(pool: Pool, steps: readonly KnownStep[]): Promise<void> {
  const rows = steps.map(({ name, version, class: group, optional }, position) => ({ name, version, class: group, optional, position }));
  await inTransaction(pool, async (db) => {
    await db.query(sql`delete from steps where not (name = any (${steps.map(({ name }) => name)}::text[]))`);
    await db.query(sql`
      insert into steps (name, position, version, class, optional)
      select name, position, version, class, optional
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as r (name text, position int, version int, class text, optional boolean)
       order by name
      on conflict (name) do update
         set position = excluded.position, version = excluded.version, class = excluded.class, optional = excluded.optional`);
  });
}

/** A step by its name. */
export async function findKnownStep(db: Db, name: string): Promise<KnownStep | undefined> {
  const { rows } = await db.query<KnownStep>(sql`select name, version, class, optional from steps where name = ${name}`);
  return rows[0];
}
