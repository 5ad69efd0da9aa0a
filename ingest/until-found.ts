import { setTimeout as wait } from 'node:timers/promises';
import { countUnindexed } from '#domain/videos/counts.ts';
import { type IndexLoop, type IndexLoopOptions, startIndexLoop } from './index-loop.ts';

const lookEveryMs = 200;
const helpAfterMs = 20_000;
const patienceMs = 5 * 60_000;

type Waiting = Required<IndexLoopOptions> & { readonly helpAfterMs?: number };

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
      const left = await countUnindexed(waiting.pool);
      if (left === 0) return;
      if (left < before) movedAtMs = Date.now();
      before = left;
      const stillForMs = Date.now() - movedAtMs;
      if (stillForMs > patienceMs) return waiting.log(`${left} videos are not yet found by search; the worker goes on with them.`);
      if (stillForMs > (waiting.helpAfterMs ?? helpAfterMs)) ownIndexing ??= startIndexLoop(waiting);
      await wait(lookEveryMs);
    }
  } finally {
    await ownIndexing?.stop();
  }
}
