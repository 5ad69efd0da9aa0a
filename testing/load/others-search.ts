import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '../seeded-random.ts';
import { askFrom, networks } from './ask-from.ts';
import { type AttackedArchive, topics } from './attacked-archive.ts';

/** A pause between one search and the next, with which somebody stays below the limits that an archive is shipped with. */
const pauseMs = 60;

/** Whoever is kept waiting so long has shown enough. */
const patienceMs = 90_000;

/** How the others fared. */
export interface Fared {
  readonly searches: number;
  readonly p95Ms: number;
  /** Searches that were not answered with 200. */
  readonly errors: number;
}

/** Somebody of another network searches so many times, one search after the other, each for something else. */
export async function othersSearch(archive: AttackedArchive, { times, seed }: { times: number; seed: number }): Promise<Fared> {
  const accessToken = archive.tokens.others;
  const agent = new Agent({ keepAlive: true });
  const random = seededRandom(seed);
  const tookMs: number[] = [];
  let errors = 0;
  const beganAt = performance.now();
  for (let n = 0; n < times && performance.now() - beganAt < patienceMs; n++) {
    const query = `${random.pick(topics)} ${random.pick(topics)} w${random.below(20_000).toString(36)}q`;
    const path = `${archive.searchPath}?${new URLSearchParams({ query, pageSize: '12', accessToken })}`;
    const { status, ms } = await askFrom(networks.others, { port: archive.port, path, agent });
    tookMs.push(ms);
    if (status !== 200) errors++;
    await wait(pauseMs);
  }
  agent.destroy();
  const sorted = tookMs.toSorted((a, b) => a - b);
  return { searches: sorted.length, p95Ms: Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? 0), errors };
}
