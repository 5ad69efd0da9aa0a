import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { giveWay, spareTime } from './give-way.ts';

const below = constants.priority.PRIORITY_BELOW_NORMAL;

test('what gives way does so with every thread that it has, and with those that it starts later', async () => {
  const script = `
    import { readdirSync } from 'node:fs';
    import { readFile } from 'node:fs/promises';
    import { getPriority } from 'node:os';
    import { giveWay } from ${JSON.stringify(join(import.meta.dirname, 'give-way.ts'))};
    giveWay();
    await Promise.all(Array.from({ length: 20 }, () => readFile('/proc/self/status')));
    console.log(JSON.stringify(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  const priorities: number[] = JSON.parse(output);
  expect(priorities.length).toBeGreaterThan(4);
  expect(priorities.filter((priority) => priority < below)).toEqual([]);
});

test('a process that has just been started gives way, and one that has ended is no error', async () => {
  const child = spawn('sleep', ['60']);
  try {
    giveWay(child.pid);
    expect(getPriority(child.pid)).toBeGreaterThanOrEqual(below);
  } finally {
    child.kill();
  }
  await once(child, 'close');
  expect(() => giveWay(child.pid)).not.toThrow();
});

test('what nobody waits for waits while others need the processors, and goes on all the same where they always do', async () => {
  const shares = [0.9, 0.3, 0.1, 0.9];
  const going = new AbortController();
  await spareTime({ inUse: () => shares.shift() ?? 1, lookEveryMs: 1 })(going.signal);
  expect(shares).toEqual([0.9]);
  let looks = 0;
  const inUse = () => {
    looks += 1;
    return 1;
  };
  await spareTime({ inUse, lookEveryMs: 1 })(going.signal);
  expect(looks).toBe(60);
  going.abort();
  await spareTime({ inUse, lookEveryMs: 3_600_000 })(going.signal);
  expect(looks).toBe(60);
});
