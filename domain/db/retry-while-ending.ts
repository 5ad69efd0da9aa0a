import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseAway } from './is-database-away.ts';

const triesMax = 20;
const tryAgainMs = 500;

/**
 * Does work with a PostgreSQL of our own, again when that ends meanwhile: one whose server was killed answers one moment and is gone in
 * the next. With `databaseUrl` the operator hears of it at once.
 */
export async function retryWhileEnding<T>(databaseUrl: string | undefined, work: () => Promise<T>): Promise<T> {
  for (let triesLeft = triesMax; ; triesLeft--) {
    try {
      return await work();
    } catch (error) {
      if (databaseUrl || triesLeft <= 1 || !isDatabaseAway(error)) throw error;
      await wait(tryAgainMs);
    }
  }
}
