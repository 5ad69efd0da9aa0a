import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseAway } from './is-database-away.ts';

const patienceMs = 10_000;
const tryAgainMs = 500;

/**
 * Does work with a PostgreSQL of our own, again when that ends meanwhile: one whose server was killed answers one moment and is gone in
 * the next. It gives up ten seconds after it began, also around work that does the same. With `databaseUrl` the operator hears of it at once.
 */
export async function retryWhileEnding<T>(databaseUrl: string | undefined, work: () => Promise<T>): Promise<T> {
  const giveUpAtMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (databaseUrl || performance.now() > giveUpAtMs || !isDatabaseAway(error)) throw error;
      await wait(tryAgainMs);
    }
  }
}
