import { setTimeout as wait } from 'node:timers/promises';
import { serverLimits } from '#contract/limits.ts';
import { errorCodeOf } from '../system/error-code.ts';
import { isConnectionLate, isDatabaseAway } from './is-database-away.ts';

const tryAgainMs = 500;

/**
 * Does work with a PostgreSQL of our own, again when that ends meanwhile: one whose server was killed answers one moment and is gone in
 * the next. It gives up ten seconds after it began, also around work that does the same. With `databaseUrl` the operator hears of it at once.
 * Of a connection that is late either hears as by `retryWhileLate`.
 */
export function retryWhileEnding<T>(databaseUrl: string | undefined, work: () => Promise<T>): Promise<T> {
  const isEnding = (error: unknown) => !databaseUrl && isDatabaseAway(error);
  return retryWhile(isEnding, { patienceMs: serverLimits.databaseEndingMaxMs, work: () => retryWhileLate(work) });
}

/**
 * Does work that begins with a connection, again when that is not made in time: on a busy machine two seconds, which is as long as a request
 * waits, may be too few for a start. It gives up half a minute after it began.
 */
export function retryWhileLate<T>(work: () => Promise<T>): Promise<T> {
  return retryWhile(isConnectionLate, { patienceMs: serverLimits.databaseLateMaxMs, work });
}

async function retryWhile<T>(
  mayPass: (error: unknown) => boolean,
  { patienceMs, work }: { patienceMs: number; work: () => Promise<T> },
): Promise<T> {
  const giveUpAtMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > giveUpAtMs || !mayPass(error)) throw error;
      await wait(tryAgainMs);
    }
  }
}

/** Somebody else added the same row, removed the row that this one belongs to, or waited for us while we waited for them. */
const lostRaces: readonly string[] = ['23505', '23503', '40P01'];
const triesMax = 5;

/** Runs `work`, a whole transaction, again when the database refused it because another one was faster; gives up after five tries. */
export async function retryLostRace<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === triesMax || !lostRaces.includes(errorCodeOf(error))) throw error;
    }
  }
}
