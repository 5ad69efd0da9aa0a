import { setTimeout as wait } from 'node:timers/promises';
import { holdWorkerLease, isWorkerAlive } from '#domain/jobs/worker-lease.ts';
import { startIndexLoop } from './index-loop.ts';
import type { Ingest } from './open-ingest.ts';
import { workOnVideos } from './work-on-videos.ts';

const lookEveryMs = 1_000;

/**
 * Runs `task` while footage is being worked on: by the workers of a running server, or by this process for as long as
 * none of them is alive.
 */
export async function whileSomebodyWorks<T>(ingest: Ingest, log: (line: string) => void, task: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const watch = standIn(ingest, log, done.signal);
  try {
    return await task();
  } finally {
    done.abort();
    await (await watch)?.stop();
  }
}

async function standIn(ingest: Ingest, log: (line: string) => void, done: AbortSignal): Promise<{ stop(): Promise<void> } | undefined> {
  while (!done.aborted) {
    if (!(await isWorkerAlive(ingest.context.pool))) {
      const lease = await holdWorkerLease(ingest.context.pool);
      const indexing = startIndexLoop({ ...ingest.context, address: ingest.address, log });
      await workOnVideos(ingest.context, ingest.queue, { log });
      return {
        stop: async () => {
          await indexing.stop();
          lease.release();
        },
      };
    }
    await wait(lookEveryMs, undefined, { signal: done }).catch(() => {});
  }
  return undefined;
}
