import type { PoolClient } from 'pg';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { directOf, type Pool } from '../db/database.ts';
import { type HeldSession, holdSession, untilLost } from '../db/hold-session.ts';
import { sql } from '../db/sql.ts';
import { pause } from '../system/pause.ts';

/** Says to everybody who asks `isWorkerAlive` that a worker runs, for as long as its process lives. Any number of workers may. */
export async function holdWorkerLease(pool: Pool): Promise<HeldSession> {
  return await holdSession(pool, (client) => client.query(sql`select pg_advisory_lock_shared(${advisoryLocks.workerAlive})`));
}

/** Whether any worker, in any process, holds a lease. */
export async function isWorkerAlive(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ free: boolean }>(sql`
    select pg_try_advisory_xact_lock(${advisoryLocks.workerAlive}) as free`);
  return rows[0]?.free !== true;
}

/** Somebody else may have the video that was claimed: whatever is under way with it ends, and notes nothing of it. */
export class ClaimLost extends Error {
  constructor() {
    super('The claim on this film was lost with its connection to the database.');
    this.name = 'ClaimLost';
  }
}

/** A database that only began anew is back sooner; of a machine that fell silent it gives up the sessions after 25 s, see `openPool`. */
const claimedAgainWithinMs = 10_000;
/** The session that was given up here may hold it for a moment still. */
const oldSessionEndsWithinMs = 3_000;
const claimAgainEveryMs = 500;
/** No answer to so little is none. */
const answersWithinMs = 10_000;

/**
 * Runs `work` while this process alone holds the video; answers undefined at once when another one does.
 * The claim is a session lock, so it ends with its process however that dies. Where its connection ends before, it is taken anew; `lost` is raised,
 * with a ClaimLost, where another process was faster, or the database stays away.
 */
export async function withVideoClaim<T>(pool: Pool, videoId: string, work: (lost: AbortSignal) => Promise<T>): Promise<T | undefined> {
  let claim = await takeClaim(pool, videoId);
  if (!claim) return undefined;
  const [over, lost] = [new AbortController(), new AbortController()];
  const keeping = async () => {
    while (claim && !over.signal.aborted) {
      await untilLost(claim, over.signal);
      if (over.signal.aborted) return;
      claim.release(true);
      claim = undefined;
      const again = await takeClaimAgain(pool, videoId, over.signal);
      if (over.signal.aborted) again?.release(true);
      else claim = again;
    }
    if (!over.signal.aborted) lost.abort(new ClaimLost());
  };
  void keeping();
  try {
    return await work(lost.signal);
  } finally {
    over.abort();
    const held = claim;
    claim = undefined;
    // Told at once: the end of the connection reaches the database a moment later.
    const { text, values } = sql`select pg_advisory_unlock(${advisoryLocks.workingOnFilm(videoId)})`;
    const statement = { text, values, query_timeout: answersWithinMs };
    await held?.query(statement).catch(() => {});
    held?.release(true);
  }
}

/**
 * What is claimed by whoever changes the original of a film: not the film itself, which a worker may hold for hours. Of an upload that becomes a film
 * its own id is given, since that of the film changes when it takes the place of one that failed.
 */
export function originalOf(id: string): string {
  return `${id} original`;
}

async function takeClaim(pool: Pool, videoId: string): Promise<PoolClient | undefined> {
  const client = await directOf(pool).connect();
  try {
    const { text, values } = sql`select pg_try_advisory_lock(${advisoryLocks.workingOnFilm(videoId)}) as mine`;
    const statement = { text, values, query_timeout: answersWithinMs };
    const { rows } = await client.query<{ mine: boolean }>(statement);
    if (rows[0]?.mine) return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release(true);
  return undefined;
}

async function takeClaimAgain(pool: Pool, videoId: string, over: AbortSignal): Promise<PoolClient | undefined> {
  const fromMs = Date.now();
  while (!over.aborted) {
    // Null where the database is away.
    const taken = await takeClaim(pool, videoId).catch(() => null);
    if (taken) return taken;
    if (Date.now() > fromMs + (taken === null ? claimedAgainWithinMs : oldSessionEndsWithinMs)) return undefined;
    await pause(claimAgainEveryMs, over, { ref: false });
  }
  return undefined;
}
