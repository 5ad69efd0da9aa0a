import type { FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { networkOf } from './network-of.ts';

const patienceMs = 5_000;

/** For whom work is done. */
export interface Asker {
  /** Everybody of the same name shares turns. */
  readonly name: string;
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean;
}

/** Does some work when the turn of who asks for it comes. */
export type InTurns = <T>(asker: Asker, work: () => Promise<T>) => Promise<T>;

/** Who sent a request, known by their network. Who types on has closed the connection of the search before. */
export function askerOf({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>): Asker {
  return { name: networkOf(ip), isGone: () => raw.socket.destroyed };
}

/**
 * At most `atOnce` pieces of work go on at a time: many at once take as long in all, but each of them then takes as long as
 * all. Of those who wait each comes in turn, so that nobody's many hold up another's one; each one's own follow in the order
 * in which they came. Throws `unavailable` instead of beginning what has waited five seconds, or what its asker does not wait
 * for any more.
 */
export function inTurns(atOnce: number, now: () => number = () => performance.now()): InTurns {
  const waiting = new Map<string, (() => void)[]>();
  let going = 0;
  return async ({ name, isGone }, work) => {
    const cameAt = now();
    if (going >= atOnce) await new Promise<void>((resolve) => waiting.set(name, [...(waiting.get(name) ?? []), resolve]));
    else going++;
    try {
      if (now() - cameAt > patienceMs || isGone()) {
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
  const [name, [next, ...others]] = first;
  waiting.delete(name);
  if (others.length > 0) waiting.set(name, others);
  return next;
}
