import pg from 'pg';
import type { DatabaseAddress } from './database.ts';

export interface Listener {
  /** Waits for the next notification, at most this long. One that came since the last call counts. */
  next(timeoutMs: number): Promise<void>;
  /** Ends a waiting `next`. */
  wake(): void;
  close(): Promise<void>;
}

/** Listens on a channel of the database. When the connection breaks, `next` throws. */
export async function listen(address: DatabaseAddress, channel: 'videos_to_index' | 'search_index'): Promise<Listener> {
  const client = new pg.Client({ ...address });
  let came = false;
  let wake: (() => void) | undefined;
  client.on('notification', () => {
    came = true;
    wake?.();
  });
  let isBroken = false;
  const broken = () => {
    isBroken = true;
    wake?.();
  };
  client.on('error', broken).on('end', broken);
  await client.connect();
  await client.query(`listen ${channel}`);

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

  return { next, wake: () => wake?.(), close: () => client.end() };
}
