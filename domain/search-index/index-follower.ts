import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseAddress, Pool } from '../db/database.ts';
import { errorMessage } from '../db/error-message.ts';
import { type Listener, listen } from '../db/listen.ts';
import type { IndexCopy } from '../files/index-copy.ts';
import { followIndex } from './follow-index.ts';

/** One small question to the database every so often; a notification comes sooner, and may be missed. */
const lookEveryMs = 5_000;
const [firstPauseMs, longestPauseMs] = [1_000, 10_000];

export interface IndexFollower {
  stop(): Promise<void>;
}

export interface FollowerOptions {
  readonly pool: Pool;
  readonly address: DatabaseAddress;
  readonly copy: IndexCopy;
  /** Hears, once until it works again, why the index cannot be followed. */
  readonly log: (reason: string) => void;
}

/**
 * Follows the index for as long as this process searches: at once when a state of it counts, and every few seconds in any case. While
 * database or store are away, searches go on by what lies here. Where the writer works in this very folder it tells the readers itself,
 * and this only looks whether it was killed before it could.
 */
export function startIndexFollower({ pool, address, copy, log }: FollowerOptions): IndexFollower {
  const stopping = new AbortController();
  let news: Listener | undefined;
  const pause = (ms: number) => wait(ms, undefined, { signal: stopping.signal }).catch(() => {});

  const running = (async () => {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      try {
        if (copy.store) news ??= await listen(address, 'search_index');
        await followIndex(pool, copy);
        pauseMs = firstPauseMs;
        await (news && !stopping.signal.aborted ? news.next(lookEveryMs) : pause(lookEveryMs));
      } catch (error) {
        if (pauseMs === firstPauseMs && !stopping.signal.aborted) log(errorMessage(error));
        await news?.close().catch(() => {});
        news = undefined;
        await pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
    await news?.close().catch(() => {});
  })();

  return {
    stop: async () => {
      stopping.abort();
      news?.wake();
      await running;
    },
  };
}
