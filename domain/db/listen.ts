import { Socket } from 'node:net';
import pg from 'pg';
import { serverLimits } from '#contract/limits.ts';
import type { DatabaseAddress } from './database.ts';

export interface Listener {
  /** Waits for the next notification, at most this long. One that came since the last call counts. */
  next(timeoutMs: number): Promise<void>;
  /** Ends a waiting `next`. */
  wake(): void;
  close(): void;
}

interface Patience {
  /** How often the connection is asked whether it is still there, and how long it may take to say so. */
  readonly checkEveryMs: number;
  readonly answerWithinMs: number;
}

/** Listens on a channel of the database. When the connection breaks, or no longer answers, `next` throws. */
export async function listen(
  address: DatabaseAddress,
  channel: 'videos_to_index' | 'search_index',
  { checkEveryMs, answerWithinMs }: Patience = { checkEveryMs: 10_000, answerWithinMs: 5_000 },
): Promise<Listener> {
  // Closed at once, however it stands: with a machine that is gone no goodbye comes to an end.
  const stream = new Socket();
  const settings = { connectionTimeoutMillis: serverLimits.databaseConnectsWithinMs, query_timeout: answerWithinMs };
  const client = new pg.Client({ ...address, ...settings, stream });
  let came = false;
  let wake: (() => void) | undefined;
  client.on('notification', () => {
    came = true;
    wake?.();
  });
  let isBroken = false;
  let asking: NodeJS.Timeout | undefined;
  const close = () => {
    isBroken = true;
    clearTimeout(asking);
    stream.destroy();
    wake?.();
  };
  client.on('error', close).on('end', close);
  // Listening twice is the same as once.
  const ask = () => client.query(`listen ${channel}`);
  try {
    await client.connect();
    await ask();
  } catch (error) {
    close();
    throw error;
  }
  const askAgain = () => {
    if (!isBroken) asking = setTimeout(() => void ask().then(askAgain, close), checkEveryMs);
  };
  askAgain();

  async function next(timeoutMs: number): Promise<void> {
    if (!came && !isBroken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    came = false;
    wake = undefined;
    if (isBroken) throw new Error('The connection to the database was lost.');
  }

  return { next, wake: () => wake?.(), close };
}
