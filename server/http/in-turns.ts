import { Problem } from '#contract/problem.ts';

const patienceMs = 5_000;

/** Does some work when the turn of who asks for it comes. */
export type InTurns = <T>(who: string, work: () => Promise<T>) => Promise<T>;

/**
 * At most `atOnce` pieces of work go on at a time: many at once take as long in all, but each of them then takes as long as
 * all. Of those who wait each comes in turn, so that nobody's many hold up another's one; each one's own follow in the order
 * in which they came. Throws `unavailable` instead of beginning what has waited five seconds: whoever asked for it has gone,
 * or would wait on.
 */
export function inTurns(atOnce: number, now: () => number = () => performance.now()): InTurns {
  const waiting = new Map<string, (() => void)[]>();
  let going = 0;
  return async (who, work) => {
    const cameAt = now();
    if (going >= atOnce) await new Promise<void>((resolve) => waiting.set(who, [...(waiting.get(who) ?? []), resolve]));
    else going++;
    try {
      if (now() - cameAt > patienceMs) {
        throw new Problem('unavailable', 'Too many are searching at this moment. Try again in a few seconds.', { retryAfterSeconds: 3 });
      }
      return await work();
    } finally {
      // Whoever is next takes this turn over.
      const next = takeNext(waiting);
      if (next) next();
      else going--;
    }
  };
}

/** The first of who has waited longest since their last turn; what else they wait for goes behind all others. */
function takeNext(waiting: Map<string, (() => void)[]>): (() => void) | undefined {
  const [first] = waiting;
  if (!first) return undefined;
  const [who, [next, ...others]] = first;
  waiting.delete(who);
  if (others.length > 0) waiting.set(who, others);
  return next;
}
