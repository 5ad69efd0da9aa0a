import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '#testing/until.ts';
import { watchSteps } from './process-memory.ts';

/** A child that holds so many megabytes, and for what: an argument as a decoder gets it. */
async function holdFor(argument: string, megabytes: number) {
  const script = `Buffer.alloc(${megabytes}e6, 1); console.log('held'); setInterval(() => {}, 1e6)`;
  const child = spawn(process.execPath, ['-e', script, argument], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return { [Symbol.dispose]: () => void child.kill() };
}

test.skipIf(!existsSync('/proc/self/status'))('the memory of a step is that of its largest process, and none of another step', async () => {
  using memory = watchSteps();
  using _shots = await holdFor('/data/work/0123456789-shots/grey.raw', 150);
  using _people = await holdFor('{"path":"/data/work/0123456789-people/0.rgb"}', 20);
  using _other = await holdFor('/data/media/0123456789/original', 300);
  const peaks = await until(() => {
    const [shots, people] = [memory.peakMB('shots'), memory.peakMB('people')];
    return shots !== null && people !== null && { shots, people };
  });
  expect([peaks.shots > 150, peaks.shots < 300, peaks.people > 20, peaks.people < 150]).toEqual([true, true, true, true]);
  expect(memory.peakMB('labels')).toBeNull();
});
