import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { createLog } from '#domain/system/log.ts';
import { until } from '#testing/until.ts';
import { keepWorkerRunning } from './run.ts';

const silent = { ...createLog('start', 'error'), error: () => {} };

test.each<[fault: string, spawnFails: () => ReturnType<typeof spawn>]>([
  ['cannot be made', () => spawn(process.execPath, ['--version'], { cwd: '/no/such/folder' })],
  [
    'is refused at once',
    () => {
      throw new Error('spawn ENOMEM');
    },
  ],
])('a worker whose process %s is tried again, and one that never was stops at once', async (_fault, spawnFails) => {
  const children: ReturnType<typeof spawn>[] = [];
  let tries = 0;
  const worker = keepWorkerRunning(
    () => {
      tries += 1;
      if (tries === 1) return spawnFails();
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)']);
      children.push(child);
      return child;
    },
    { log: silent, onGivingUp: () => {} },
  );
  await until(() => children[0]?.pid !== undefined, { withinMs: 10_000 });
  await worker.stop(5_000);
  expect([tries, children[0]?.signalCode]).toEqual([2, 'SIGTERM']);

  const never = keepWorkerRunning(spawnFails, { log: silent, onGivingUp: () => {} });
  await never.stop(5_000);
});
