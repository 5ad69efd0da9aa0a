import type { Pool } from '#domain/db/database.ts';
import { sql } from '#domain/db/sql.ts';
import { leftOutByEditor } from '#domain/videos/record-step.ts';

/** Leaves out what still waits to be found out about films, but for these steps: recognisers take minutes, and what they find changes answers. */
export async function skipUnderstanding(pool: Pool, except: readonly string[] = []): Promise<void> {
  await pool.query(sql`
    update ingest_steps i set state = 'skipped', message = ${leftOutByEditor.skipped}, ended_at = now()
      from steps s where s.name = i.step and s.class = 'understood' and s.name <> all (${except}::text[]) and i.state = 'waiting'`);
}
