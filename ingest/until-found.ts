import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from '#domain/db/database.ts';
import { countUnindexed } from '#domain/videos/count-unindexed.ts';

const lookEveryMs = 200;
const patienceMs = 5 * 60_000;

/** Waits until search has seen everything that is published. Gives up, with a word, when nothing has moved for minutes. */
export async function untilFound(pool: Pool, log: (line: string) => void): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  let movedAtMs = Date.now();
  for (;;) {
    const left = await countUnindexed(pool);
    if (left === 0) return;
    if (left < before) movedAtMs = Date.now();
    before = left;
    if (Date.now() - movedAtMs > patienceMs) return log(`${left} videos are not yet found by search; the worker goes on with them.`);
    await wait(lookEveryMs);
  }
}
