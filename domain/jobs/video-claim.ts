import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

const claimClass = 728_374;

/**
 * Runs `work` while this process alone holds the video; answers undefined at once when another one does.
 * The claim is a session lock, so it ends with its process however that dies.
 */
export async function withVideoClaim<T>(pool: Pool, videoId: string, work: () => Promise<T>): Promise<T | undefined> {
  const client = await pool.connect();
  client.on('error', () => {});
  try {
    const { rows } = await client.query<{ mine: boolean }>(sql`select pg_try_advisory_lock(${claimClass}, hashtext(${videoId})) as mine`);
    return rows[0]?.mine ? await work() : undefined;
  } finally {
    client.release(true);
  }
}
