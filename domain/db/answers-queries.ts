import type { Pool } from './database.ts';

/** Whether the database answers at this moment; waits no longer than the pool does. */
export function answersQueries(pool: Pool): Promise<boolean> {
  return pool.query('select 1').then(
    () => true,
    () => false,
  );
}
