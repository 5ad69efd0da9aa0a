import { directOf, type Pool } from '../db/database.ts';
import { type HeldSession, holdSession } from '../db/hold-session.ts';
import { sql } from '../db/sql.ts';

const workerLease = 728_374_020;

/** Says to everybody who asks `isWorkerAlive` that a worker runs, for as long as its process lives. Any number of workers may. */
export async function holdWorkerLease(pool: Pool): Promise<HeldSession> {
  return await holdSession(pool, (client) => client.query(sql`select pg_advisory_lock_shared(${workerLease})`));
}

/** Whether any worker, in any process, holds a lease. */
export async function isWorkerAlive(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ free: boolean }>(sql`
    select pg_try_advisory_xact_lock(${workerLease}) as free`);
  return rows[0]?.free !== true;
}

const claimClass = 728_374;

/**
 * Runs `work` while this process alone holds the video; answers undefined at once when another one does.
 * The claim is a session lock, so it ends with its process however that dies.
 */
export async function withVideoClaim<T>(pool: Pool, videoId: string, work: () => Promise<T>): Promise<T | undefined> {
  const client = await directOf(pool).connect();
  client.on('error', () => {});
  try {
    const { rows } = await client.query<{ mine: boolean }>(sql`select pg_try_advisory_lock(${claimClass}, hashtext(${videoId})) as mine`);
    if (!rows[0]?.mine) return undefined;
    // Told at once: the end of the connection reaches the database a moment later.
    return await work().finally(() => client.query(sql`select pg_advisory_unlock(${claimClass}, hashtext(${videoId}))`).catch(() => {}));
  } finally {
    client.release(true);
  }
}
