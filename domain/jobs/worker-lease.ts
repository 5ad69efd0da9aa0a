import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

const workerLease = 728_374_020;

/** Held by a worker for as long as its process lives; the database ends it when the connection breaks. */
export interface WorkerLease {
  release(): void;
}

/** Says to everybody who asks `isWorkerAlive` that a worker runs. Any number of workers may. */
export async function holdWorkerLease(pool: Pool): Promise<WorkerLease> {
  const client = await pool.connect();
  client.on('error', () => {});
  await client.query(sql`select pg_advisory_lock_shared(${workerLease})`);
  // Closing the connection gives the lease back, whatever state it is in.
  return { release: () => client.release(true) };
}

/** Whether any worker, in any process, holds a lease. */
export async function isWorkerAlive(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ free: boolean }>(sql`
    select pg_try_advisory_xact_lock(${workerLease}) as free`);
  return rows[0]?.free !== true;
}
