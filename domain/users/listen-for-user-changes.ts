import { setTimeout as wait } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Pool } from '../db/database.ts';

const reconnectMs = 1_000;

/**
 * Calls back with a user's id whenever their roles change, they are removed, or a session of theirs ends, by whichever process;
 * and with null whenever it begins to listen, since something may have been missed before. Runs until stopped.
 */
export function listenForUserChanges(pool: Pool, heard: (uid: string | null) => void): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const ended = listen(pool, heard, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

async function listen(pool: Pool, heard: (uid: string | null) => void, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const client = await pool.connect().catch(() => null);
    if (client) await listenOn(client, heard, stopping);
    await wait(reconnectMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Ends when the connection does, or when it is time to stop. */
async function listenOn(client: PoolClient, heard: (uid: string | null) => void, stopping: AbortSignal): Promise<void> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  client.on('error', () => end());
  client.on('end', () => end());
  client.on('notification', ({ channel, payload }) => {
    if (channel === 'users_changed' && payload) heard(payload);
  });
  stopping.addEventListener('abort', () => end(), { once: true });
  await client.query('listen users_changed').then(() => heard(null), end);
  if (!stopping.aborted) await over;
  // Destroyed, not returned: the pool's other users should not hear.
  client.release(true);
}
