import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DatabaseAddress, Pool } from '../db/database.ts';
import { type Listener, listen } from '../db/listen.ts';
import { fetchIndex, leaveOldFiles } from '../files/fetch-index.ts';
import type { IndexCopy } from '../files/index-copy.ts';
import { LostIndexFile } from '../files/index-list.ts';
import {
  clearIndexDamage,
  hasAllIndexFiles,
  type IndexState,
  isIndexDamageNoted,
  readIndexState,
  replaceIndexState,
} from '../files/index-state.ts';
import { errorMessageOf } from '../system/error-message.ts';
import { pause } from '../system/pause.ts';
import { findIndexState, noteLostIndex, whileStateCounts } from './index-commit.ts';
import { indexFormat } from './index-row.ts';

/** One small question to the database every so often; a notification comes sooner, and may be missed. */
const lookEveryMs = 5_000;
const [firstPauseMs, longestPauseMs] = [1_000, 10_000];

export interface IndexFollower {
  stop(): Promise<void>;
}

interface FollowerOptions {
  readonly pool: Pool;
  readonly address: DatabaseAddress;
  readonly copy: IndexCopy;
  /** Hears, once until it works again, why the index cannot be followed. */
  readonly log: (reason: string) => void;
  /** Hears, once, that searches of this machine read what counts by now, if anything does. */
  readonly onFollowed?: () => void;
  /** How often it looks whether it missed a notification, in milliseconds. */
  readonly everyMs?: number;
}

/**
 * Follows the index for as long as this process searches: at once when a state of it counts, and every few seconds in any case. While
 * database or store are away, searches go on by what lies here. Where the writer works in this very folder it tells the readers itself,
 * and this only looks whether it was killed before it could.
 */
export function startIndexFollower({ pool, address, copy, log, onFollowed, everyMs = lookEveryMs }: FollowerOptions): IndexFollower {
  const stopping = new AbortController();
  let news: Listener | undefined;

  const running = (async () => {
    let pauseMs = firstPauseMs;
    let tell = onFollowed;
    while (!stopping.signal.aborted) {
      try {
        if (copy.store) news ??= await listen(address, 'search_index');
        await followIndex(pool, copy);
        tell?.();
        tell = undefined;
        pauseMs = firstPauseMs;
        await (news && !stopping.signal.aborted ? news.next(everyMs) : pause(everyMs, stopping.signal));
      } catch (error) {
        if (pauseMs === firstPauseMs && !stopping.signal.aborted) log(errorMessageOf(error));
        news?.close();
        news = undefined;
        await pause(pauseMs, stopping.signal);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
    news?.close();
  })();

  return {
    stop: async () => {
      stopping.abort();
      news?.wake();
      await running;
    },
  };
}

/**
 * Makes searches of this machine read by the state of the index that counts, by the database: what is missing comes from the store
 * first, and a copy that a search stumbled over is compared with it. Searches go on meanwhile by the state before. It may be ended at any
 * moment; the next call goes on from there. Throws when database or store cannot be reached, and when only building the index anew helps:
 * the store lost what it should hold, or holds what cannot be read.
 */
export async function followIndex(pool: Pool, copy: IndexCopy): Promise<void> {
  const { folder } = copy;
  const replaced = new Set<string>();
  for (;;) {
    const [state, read] = [await findIndexState(pool), await readIndexState(folder)];
    if (state?.format !== indexFormat) return;
    const isDamaged = await isIndexDamageNoted(folder);
    if (isDeepStrictEqual(state, read) && !isDamaged) return;
    // What the store keeps nowhere else only the writer can mend.
    const mends = copy.store !== null && state.files !== null;
    if (!mends && (copy.store || isDamaged || !(await hasAllIndexFiles(folder, state)))) return;
    const fetched = await fetchIndex(copy, state, { isSuspect: isDamaged }).catch(async (error: unknown) => {
      // Whoever writes it has a copy of its own, and would not miss it.
      if (error instanceof LostIndexFile) await whileStateCounts(pool, state, () => noteLostIndex(pool, state));
      throw error;
    });
    if (isDamaged && fetched.count === 0) forgiveOnce(folder, state);
    if (read) replaced.add(read.generation);
    if (!(await whileStateCounts(pool, state, () => replaceIndexState(folder, state)))) {
      // Another one counts by now; this was fetched for nobody.
      replaced.add(state.generation);
      continue;
    }
    if (!copy.store) return;
    await clearIndexDamage(folder);
    await leaveOldFiles(copy, state, fetched);
    // A writer of this machine may be building another one: only what was read until now, or fetched in vain, goes.
    replaced.delete(state.generation);
    for (const generation of replaced) await rm(join(folder, generation), { recursive: true, force: true, maxRetries: 3 });
    return;
  }
}

/** The last state of each folder whose copy was whole although a search could not read it. */
const forgiven = new Map<string, string>();

/** A whole copy may be unreadable for a moment, as where a process has too many files open. Throws where that is told of it once more. */
function forgiveOnce(folder: string, { generation, batch }: IndexState): void {
  const state = `${generation} ${batch}`;
  if (forgiven.get(folder) === state) throw new Error('The index here is what the store holds, and yet a search could not read it.');
  forgiven.set(folder, state);
}
