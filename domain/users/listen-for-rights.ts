import { setTimeout as wait } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { directOf, type Pool } from '../db/database.ts';
import { pause } from '../system/pause.ts';

/** The channel on which servers hear of films that viewers watched until now. */
export const filmsTaken = 'films_taken';
/** The one on which they hear that the secrets that lie in the database are others. */
export const secretsChanged = 'secrets_changed';

const reconnectMs = 1_000;

interface Patience {
  /** How often the connection is asked whether it is still there, and how long it may take to say so. */
  readonly checkEveryMs: number;
  readonly answerWithinMs: number;
}

/** What is called back about, by whichever process it was changed. */
interface Hearing {
  /** With the id of a user whose roles change, who is removed, or of whom a session ends; with null whenever it begins to listen, since something may have been missed before. */
  user(uid: string | null): void;
  /** With the id of a film that viewers watched until now, and may not from now on; with null as for users. */
  film(videoId: string | null): void;
  /** When the archive's secrets are others or may be: whenever it begins to listen, and every now and then. */
  secrets(): void;
}

/** Calls back whenever somebody's rights change, a film is taken from those who might watch it, or what tokens are signed by is another. Runs until stopped. */
export function listenForRights(
  pool: Pool,
  heard: Hearing,
  patience: Patience = { checkEveryMs: 15_000, answerWithinMs: 5_000 },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const ended = listen(pool, { heard, patience, stopping: stopping.signal });
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

interface Listening {
  readonly heard: Hearing;
  readonly patience: Patience;
  readonly stopping: AbortSignal;
}

async function listen(pool: Pool, listening: Listening): Promise<void> {
  const { stopping } = listening;
  while (!stopping.aborted) {
    const client = await directOf(pool)
      .connect()
      .catch(() => null);
    if (client) await listenOn(client, listening);
    await pause(reconnectMs, stopping);
  }
}

/** Ends when the connection does, when it no longer answers, or when it is time to stop: one that a firewall forgot brings no news, and says nothing about it. */
async function listenOn(client: PoolClient, { heard, patience, stopping }: Listening): Promise<void> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  client.on('error', () => end());
  client.on('end', () => end());
  client.on('notification', ({ channel, payload }) => {
    if (channel === 'users_changed' && payload) heard.user(payload);
    if (channel === filmsTaken && payload) heard.film(payload);
    if (channel === secretsChanged) heard.secrets();
  });
  stopping.addEventListener('abort', () => end(), { once: true });
  const listening = { text: listenStatement, query_timeout: patience.answerWithinMs };
  await client.query(listening).then(() => {
    heard.user(null);
    heard.film(null);
    heard.secrets();
  }, end);
  const ended = new AbortController();
  const askAgainAndAgain = async () => {
    for (;;) {
      await wait(patience.checkEveryMs, undefined, { signal: ended.signal });
      // Listening twice is the same as once.
      await client.query(listening);
      // A time that it could not be read is made good by the next one.
      heard.secrets();
    }
  };
  void askAgainAndAgain().catch(end);
  if (!stopping.aborted) await over;
  ended.abort();
  // Destroyed, not returned: the pool's other users should not hear.
  client.release(true);
}

const listenStatement = `listen users_changed; listen ${filmsTaken}; listen ${secretsChanged}`;
