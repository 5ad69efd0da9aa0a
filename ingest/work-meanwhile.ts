import { setTimeout as wait } from 'node:timers/promises';
import { retryWhileLate } from '#domain/db/retries.ts';
import { toIndexCopy } from '#domain/files/index-copy.ts';
import { readIndexState } from '#domain/files/index-state.ts';
import type { ArchiveFiles } from '#domain/files/open-archive-files.ts';
import { holdWorkerLease, isWorkerAlive } from '#domain/jobs/worker-lease.ts';
import { findIndexedBatch } from '#domain/search-index/index-commit.ts';
import type { Say } from '#domain/system/log.ts';
import { pause } from '#domain/system/pause.ts';
import { countUnindexed } from '#domain/videos/counts.ts';
import { type IndexLoop, type IndexLoopOptions, startIndexLoop } from './follow-films.ts';
import type { Ingest } from './open-ingest.ts';
import { workOnVideos } from './work-on-videos.ts';

const lookEveryMs = 1_000;

/** What of an ingest works on films. */
type Worked = Pick<Ingest, 'context' | 'address' | 'queue'>;

/**
 * Runs `task` while footage is being worked on: by the workers of a running server, or by this process for as long as
 * none of them is alive. Throws what `task` throws, and why this process cannot work: what nobody works on would be waited for in vain.
 */
export async function whileSomebodyWorks<T>(ingest: Worked, log: Say, task: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const working = workMeanwhile(ingest, log, done.signal);
  try {
    return await Promise.race([task(), working.then(() => new Promise<never>(() => {}))]);
  } finally {
    done.abort();
    await (await working)?.stop();
  }
}

async function workMeanwhile(ingest: Worked, log: Say, done: AbortSignal): Promise<{ stop(): Promise<void> } | undefined> {
  const { context, address, queue } = ingest;
  while (!done.aborted) {
    // A database that does not answer for a moment says nothing of workers.
    if (!(await isWorkerAlive(context.pool).catch(() => true))) {
      const lease = await retryWhileLate(() => holdWorkerLease(context.pool));
      const indexing = startIndexLoop({ ...context, address, log });
      const stop = async () => {
        await indexing.stop();
        lease.release();
      };
      await workOnVideos(context, queue, { log }).catch(async (error: unknown) => {
        await stop();
        throw error;
      });
      return { stop };
    }
    await pause(lookEveryMs, done);
  }
  return undefined;
}

const lookForRestEveryMs = 200;
const helpAfterMs = 20_000;
const patienceMs = 5 * 60_000;

type Waiting = IndexLoopOptions & ArchiveFiles & { readonly helpAfterMs?: number };

/**
 * Waits until search has seen everything that is published. When nothing moves, because the worker that should index hangs,
 * this process does it; after minutes of that it gives up, with a word.
 */
export async function untilFound(waiting: Waiting): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  let movedAtMs = Date.now();
  let ownIndexing: IndexLoop | undefined;
  try {
    for (;;) {
      const left = await retryWhileLate(() => countUnindexed(waiting.pool));
      if (left === 0 && (await retryWhileLate(() => isIndexFollowed(waiting)))) return;
      if (left < before) movedAtMs = Date.now();
      before = left;
      const stillForMs = Date.now() - movedAtMs;
      if (stillForMs > patienceMs) return waiting.log(`${left} videos are not yet found by search; the worker goes on with them.`);
      if (stillForMs > (waiting.helpAfterMs ?? helpAfterMs)) ownIndexing ??= startIndexLoop(waiting);
      await wait(lookForRestEveryMs);
    }
  } finally {
    await ownIndexing?.stop();
  }
}

/**
 * Whether searches of this archive read what the database calls indexed. Where the index travels through a store, every machine sees to that
 * by itself; where it lies in one folder, its writer says so a moment after the database.
 */
async function isIndexFollowed({ pool, ...files }: Waiting): Promise<boolean> {
  const { folder, store } = toIndexCopy(files);
  return store !== null || ((await readIndexState(folder))?.batch ?? 0) >= (await findIndexedBatch(pool));
}
