import type { PoolClient } from 'pg';
import { pause } from '../system/pause.ts';
import { directOf, type Pool } from './database.ts';

const connectAgainMs = 1_000;
const askEveryMs = 5_000;

/** What lasts as long as a session of the database does. */
export interface HeldSession {
  release(): void;
}

/**
 * Has `begin` do in a session of the database what lasts as long as that, such as taking a lock, and do it again in a new one whenever the
 * session is lost, until it is released. Throws what the first time throws; later it is tried again every second.
 */
export async function holdSession(
  pool: Pool,
  begin: (client: PoolClient, time: 'first' | 'again') => Promise<unknown>,
): Promise<HeldSession> {
  const released = new AbortController();
  let held: PoolClient | undefined = await open(pool, (client) => begin(client, 'first'));
  const letGo = () => {
    held?.release(true);
    held = undefined;
  };
  const keeping = async () => {
    while (!released.signal.aborted) {
      if (held) await untilLost(held, released.signal);
      letGo();
      await pause(connectAgainMs, released.signal, { ref: false });
      if (released.signal.aborted) return;
      // The database may be away for a while.
      held = await open(pool, (client) => begin(client, 'again')).catch(() => undefined);
      if (released.signal.aborted) letGo();
    }
  };
  void keeping();
  return {
    release: () => {
      released.abort();
      letGo();
    },
  };
}

async function open(pool: Pool, begin: (client: PoolClient) => Promise<unknown>): Promise<PoolClient> {
  const client = await directOf(pool).connect();
  try {
    await begin(client);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Waits until a session that nobody else asks anything is lost, or gives no answer within so many milliseconds, or it is time to stop. */
export async function untilLost(client: PoolClient, stopping: AbortSignal, answerWithinMs = askEveryMs): Promise<void> {
  const lost = new AbortController();
  const over = AbortSignal.any([stopping, lost.signal]);
  client.once('end', () => lost.abort());
  while (!over.aborted) {
    await pause(askEveryMs, over, { ref: false });
    if (over.aborted) return;
    const statement = { text: 'select', query_timeout: answerWithinMs };
    await client.query(statement).catch(() => lost.abort());
  }
}
