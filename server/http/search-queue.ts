import type { FastifyRequest } from 'fastify';
import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { countedNetworksOf } from '#domain/networks/counted-networks.ts';
import { runSearchFor, type SearchWork } from '#domain/scheduling/search-time-slice.ts';

/** Whoever asked so long ago is taken for somebody who may ask again at any moment. */
const aroundMs = 2_000;

/** For whom work is done. */
export interface Asker {
  /** The networks under which an asker is counted, the nearest first; everybody of the first one waits in one line of the round robin. */
  readonly networks: readonly { readonly name: string; readonly shares: number }[];
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean;
}

/** A search is waited for; a count of a whole answer takes longer, and stands beside what is being read. */
export type Work = 'search' | 'count';

/** Does some work as soon as the queue lets who asks for it begin. */
export type SearchQueue = <T>(asker: Asker, kind: Work, work: (worked: SearchWork) => Promise<T>) => Promise<T>;

/** Who sent a request, known by their network. Who types on has closed the connection of the search before. */
export function askerOf({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>): Asker {
  return { networks: countedNetworksOf(ip), isGone: () => raw.socket.destroyed };
}

interface Waiting {
  readonly asker: Asker;
  readonly kind: Work;
  readonly begin: () => void;
}

/**
 * At most `atOnce` pieces of work go on at a time, `countsAtOnce` of them counts: many at once take as long in all, but each of them
 * then takes as long as all. While several networks ask, each has one search and one count under way, whatever it asks for; one
 * that is alone has all places, and whoever comes next finds one of their own. Those who wait are served round robin; each one's own
 * follow in the order in which they came. Throws `unavailable` instead of beginning what has waited five seconds, or what its
 * asker does not wait for any more.
 */
export function openSearchQueue(
  { atOnce, countsAtOnce }: { readonly atOnce: number; readonly countsAtOnce: number },
  now: () => number = () => performance.now(),
): SearchQueue {
  const waiting = new Map<string, Waiting[]>();
  const going = new Set<Waiting>();
  const heardAt = new Map<string, number>();

  const mayBegin = (one: Waiting) => {
    const name = nameOf(one.asker);
    const isNew = ![...going].some(({ asker }) => nameOf(asker) === name);
    // A newcomer does not wait for what others began when they were alone.
    if (going.size >= atOnce + (isNew ? 1 : 0)) return false;
    if (one.kind === 'count' && countOf(going, ({ kind }) => kind === 'count') >= countsAtOnce) return false;
    return (
      isAlone(heardAt, one.asker, now()) || one.asker.networks.every(({ name: network, shares }) => ownOf(going, one, network) < shares)
    );
  };

  const beginNext = () => {
    for (const [name, own] of waiting) {
      const next = own.find((one) => mayBegin(one));
      if (!next) continue;
      waiting.delete(name);
      const others = own.filter((one) => one !== next);
      // What else they wait for goes behind all others.
      if (others.length > 0) waiting.set(name, others);
      going.add(next);
      next.begin();
    }
  };

  return async (asker, kind, work) => {
    const cameAt = now();
    hear(heardAt, nameOf(asker), cameAt);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const one = { asker, kind, begin };
    waiting.set(nameOf(asker), [...(waiting.get(nameOf(asker)) ?? []), one]);
    beginNext();
    await begun;
    try {
      if (now() - cameAt > serverLimits.searchWaitsMaxMs || asker.isGone()) {
        throw new Problem('unavailable', 'Too many searches are running. Try again in a few seconds.', { retryAfterSeconds: 3 });
      }
      return await runSearchFor(nameOf(asker), work);
    } finally {
      going.delete(one);
      beginNext();
    }
  };
}

function nameOf({ networks }: Asker): string {
  return networks[0]?.name ?? '';
}

/** How much of the same kind this network has under way. */
function ownOf(going: ReadonlySet<Waiting>, { kind }: Waiting, network: string): number {
  return countOf(going, (other) => other.kind === kind && other.asker.networks.some(({ name }) => name === network));
}

function countOf(going: ReadonlySet<Waiting>, counts: (one: Waiting) => boolean): number {
  let count = 0;
  for (const one of going) if (counts(one)) count++;
  return count;
}

/** Those heard of last stand last; who has not been heard of for a while is forgotten. */
function hear(heardAt: Map<string, number>, name: string, at: number): void {
  heardAt.delete(name);
  heardAt.set(name, at);
  for (const [other, otherAt] of heardAt) {
    if (at - otherAt <= aroundMs) return;
    heardAt.delete(other);
  }
}

/** Whether no other network has asked for anything lately. */
function isAlone(heardAt: ReadonlyMap<string, number>, asker: Asker, at: number): boolean {
  for (const [other, otherAt] of heardAt) if (other !== nameOf(asker) && at - otherAt <= aroundMs) return false;
  return true;
}
