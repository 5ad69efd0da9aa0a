import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { limits } from '#contract/limits.ts';
import { SearchVideosInput } from '#contract/video-service/input.ts';
import { makeCostlyQueries } from './costly-queries.ts';
import { serverProcessorMs } from './processor-time.ts';

const words = {
  known: new Set(['moon', 'water', 'the', 'and', 'rocket']),
  common: ['moon', 'water'],
  medium: ['rocket'],
  rare: [],
  stops: ['the', 'and'],
};

test('every costly request is one that the service takes, and the same seed asks the same', () => {
  const queries = makeCostlyQueries(words, { count: 300, seed: 3 });
  expect(makeCostlyQueries(words, { count: 300, seed: 3 })).toEqual(queries);
  for (const query of queries) {
    const values = Map.groupBy(query, ([name]) => name);
    const input = Object.fromEntries(
      [...values].map(([name, pairs]) => [name, pairs.length === 1 ? pairs[0]?.[1] : pairs.map(([, value]) => value)]),
    );
    expect(SearchVideosInput.safeParse({ location: 'here', account: 'one', ...input }).error).toBeUndefined();
  }
  expect(Math.max(...queries.flatMap((query) => query.map(([, value]) => value.length)))).toBeLessThanOrEqual(limits.queryMaxCodePoints);
});

test.runIf(process.platform === 'linux')('the time that a process works is counted', () => {
  const before = serverProcessorMs(process.pid);
  const { user, system } = process.cpuUsage();
  // So long on a processor, however long that takes on a busy machine.
  for (let worked = 0; worked < 300_000; ) {
    const now = process.cpuUsage();
    worked = now.user + now.system - user - system;
  }
  expect(serverProcessorMs(process.pid) - before).toBeGreaterThan(100);
});

test.runIf(process.platform === 'linux')('the report names the costliest of its requests', { timeout: 120_000 }, () => {
  const args = [
    join(import.meta.dirname, 'search-cost.ts'),
    '--videos',
    '20',
    '--moments',
    '20',
    '--queries',
    '10',
    '--transcripts',
    'none',
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const line = z.object({
    check: z.literal('cost'),
    queries: z.literal(10),
    maxCpuMs: z.number(),
    p95CpuMs: z.number(),
    worst: z.string().min(1),
  });
  const { maxCpuMs, p95CpuMs } = line.parse(JSON.parse(stdout));
  expect(maxCpuMs).toBeGreaterThan(0);
  expect(p95CpuMs).toBeLessThanOrEqual(maxCpuMs);
});
