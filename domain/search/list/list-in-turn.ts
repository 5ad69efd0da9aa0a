import type { Pool } from '../../db/database.ts';
import { searchTimeoutMs } from '../with-timeout.ts';

const lastTurns = new WeakMap<Pool, Promise<unknown>>();

/**
 * Does work that looks at every video when all that was asked for before is done: side by side, each would take as long as all.
 * Throws when its turn comes more than 2 s after it was asked for, as nobody waits for it any more.
 */
export async function listInTurn<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const askedAtMs = performance.now();
  const turn = (lastTurns.get(pool) ?? Promise.resolve()).then(() => {
    if (performance.now() - askedAtMs > searchTimeoutMs) throw new Error('timeout before its turn came');
    return work();
  });
  lastTurns.set(
    pool,
    turn.catch(() => {}),
  );
  return await turn;
}
