import type { Pool } from '#domain/db/database.ts';
import { until } from './until.ts';

/** Waits until no job waits or is worked on. */
export async function untilQuiet(pool: Pool): Promise<void> {
  const isQuiet = async () => {
    const { rows } = await pool.query<{ busy: boolean }>(
      `select exists (select from jobs.job where name !~ '-dead$' and state in ('created', 'retry', 'active')) as busy`,
    );
    return rows[0]?.busy === false;
  };
  await until(isQuiet, { withinMs: 60_000 });
}
