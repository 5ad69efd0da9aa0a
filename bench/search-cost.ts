import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { MeasuredArchive } from '#testing/measured-archive.ts';
import type { ServedArchive } from '#testing/served-archive.ts';
import { mediaFolder } from '#testing/shared-media.ts';
import { until } from '#testing/until.ts';
import { type CostlyQuery, makeCostlyQueries } from './costly-queries.ts';
import { percentile } from './percentile.ts';
import { serverProcessorMs } from './processor-time.ts';
import { readSpokenLines } from './search-corpus.ts';
import { whileServed } from './serve-made-archive.ts';
import { wordsByShare } from './words-by-share.ts';

/*
 * npm run -s report:cost says what the costliest request takes of a processor: the server's own time and that of PostgreSQL, over
 * requests of every shape that the query language has, each of them asked once for its answer and once for its counts.
 */
const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '10000' },
    moments: { type: 'string', default: '600' },
    queries: { type: 'string', default: '500' },
    seed: { type: 'string', default: '500' },
    transcripts: { type: 'string', default: mediaFolder },
    keep: { type: 'string' },
  },
});
/** What a request leaves behind, such as what is noted of it, is counted with it. */
const settleMs = 40;
const shownCharactersMax = 200;
/** A server that nobody asks works less in a second. */
const restingMs = 30;
const progress = (line: string) => void process.stderr.write(`${line}\n`);

const spoken = readSpokenLines(resolve(values.transcripts));
const size = { videos: Number(values.videos), moments: Number(values.moments) };
const asked = { count: Number(values.queries), seed: Number(values.seed) };
const learn = async (searched: MeasuredArchive) => makeCostlyQueries(await wordsByShare(searched), asked);
await whileServed(size, { spoken, keep: values.keep, progress, learn }, async ({ archive, known: queries }) => {
  await untilPrepared(archive.pid);
  const costs: { query: CostlyQuery; cpuMs: number }[] = [];
  const statuses = new Map<number, number>();
  for (const query of queries) {
    const before = serverProcessorMs(archive.pid);
    for (const status of await ask(archive, query)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await wait(settleMs);
    costs.push({ query, cpuMs: serverProcessorMs(archive.pid) - before });
  }
  costs.sort((a, b) => b.cpuMs - a.cpuMs);
  for (const { query, cpuMs } of costs.slice(0, 5)) progress(`${cpuMs} ms: ${describe(query)}`);
  progress(`Answers: ${[...statuses].map(([status, times]) => `${times} of ${status}`).join(', ')}`);
  const [worst] = costs;
  if (!worst || statuses.has(400)) throw new Error('The service took none of the requests, or refused some as wrong.');
  const times = costs.map(({ cpuMs }) => cpuMs);
  const figures = { maxCpuMs: worst.cpuMs, p95CpuMs: percentile(times, 0.95), worst: describe(worst.query) };
  process.stdout.write(`${JSON.stringify({ check: 'cost', queries: queries.length, ...figures })}\n`);
});

/** What a server does after its start by itself, such as to read the words, is no cost of what is asked. */
async function untilPrepared(pid: number): Promise<void> {
  let before = Number.NEGATIVE_INFINITY;
  await until(
    () => {
      const now = serverProcessorMs(pid);
      const rests = now - before < restingMs;
      before = now;
      return rests;
    },
    { everyMs: 1_000, withinMs: 120_000 },
  );
  progress(`Ready after ${before} ms of a processor`);
}

/** Asks for the answer and for what it comes to, as a page does; how both were answered. */
async function ask({ searchAddress, accessToken }: ServedArchive, query: CostlyQuery): Promise<number[]> {
  const parameters = new URLSearchParams([...query.map(([name, value]) => [name, value]), ['accessToken', accessToken]]);
  const statuses: number[] = [];
  for (const address of [searchAddress, `${searchAddress}/Facets`]) {
    const answer = await fetch(`${address}?${parameters}`);
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}

function describe(query: CostlyQuery): string {
  const text = query.map(([name, value]) => `${name}=${value}`).join('&');
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}
