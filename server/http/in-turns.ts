import { Problem } from '#contract/problem.ts';

const patienceMs = 5_000;

/** Does some work when its turn comes. */
export type InTurns = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * At most `atOnce` pieces of work go on at a time, the others wait in the order in which they came: many at once take as long
 * in all, but each of them then takes as long as all. Throws `unavailable` instead of beginning what has waited five seconds:
 * whoever asked for it has gone, or would wait on.
 */
export function inTurns(atOnce: number, now: () => number = () => performance.now()): InTurns {
  const waiting: (() => void)[] = [];
  let going = 0;
  return async (work) => {
    const cameAt = now();
    if (going >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else going++;
    try {
      if (now() - cameAt > patienceMs) {
        throw new Problem('unavailable', 'Too many are searching at this moment. Try again in a few seconds.', { retryAfterSeconds: 3 });
      }
      return await work();
    } finally {
      // Whoever is next takes this turn over.
      const next = waiting.shift();
      if (next) next();
      else going--;
    }
  };
}
