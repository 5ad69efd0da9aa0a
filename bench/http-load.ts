import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Orders, Report } from './http-client.ts';
import { percentile } from './percentile.ts';

/** Figures of one phase. */
export interface Figures {
  readonly rps: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  readonly errors: number;
}

/** Asks over HTTP from a process of its own for as long as `meanwhile` takes. The first faults are told by `progress`. */
export async function loadWhile(orders: Orders, meanwhile: () => Promise<unknown>, progress: (line: string) => void): Promise<Figures> {
  const client = fork(join(import.meta.dirname, 'http-client.ts'));
  client.send(orders);
  const report = reportOf(client);
  try {
    // A client that dies ends the phase, and with it the benchmark.
    await Promise.race([meanwhile(), report]);
    client.send('stop');
    const { timesMs, seconds, faults } = await report;
    for (const fault of faults.slice(0, 5)) progress(fault);
    return figuresOf({ timesMs, seconds, faults });
  } finally {
    client.kill();
  }
}

/** Rate and percentiles of the answers that were right; the others are errors, and count for nothing else. */
export function figuresOf({ timesMs, seconds, faults }: Report): Figures {
  return {
    rps: Math.round((timesMs.length / seconds) * 10) / 10,
    p50Ms: percentile(timesMs, 0.5),
    p95Ms: percentile(timesMs, 0.95),
    maxMs: percentile(timesMs, 1),
    errors: faults.length,
  };
}

async function reportOf(client: ChildProcess): Promise<Report> {
  const ended = once(client, 'exit').then(([code]) => {
    throw new Error(`The client ended with ${code} before its report.`);
  });
  ended.catch(() => {});
  const [report] = await Promise.race([once(client, 'message'), ended]);
  return report;
}
