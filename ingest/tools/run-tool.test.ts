import { expect, test } from 'vitest';
import { ownEnvironment } from '#testing/own-environment.ts';
import { runTool } from './run-tool.ts';

const shell = (script: string) => ({
  command: 'sh',
  args: ['-c', script],
  timeoutMs: 60_000,
  env: { PATH: ownEnvironment({}).PATH ?? '' },
});

test('a tool that writes a line without an end is ended before the line fills the memory of who reads it', async () => {
  const { overrun } = await runTool({ ...shell('head -c 64000000 /dev/zero | tr "\\0" x; sleep 60'), onLine: () => true });
  expect(overrun).toBe('memory');
});

test('a tool that writes many lines, each of its size, is heard to its end', async () => {
  let lines = 0;
  const { exitCode, overrun } = await runTool({
    ...shell('yes "$(head -c 900 /dev/zero | tr "\\0" x)" | head -n 20000'),
    onLine: () => ++lines > 0,
  });
  expect([exitCode, overrun, lines]).toEqual([0, undefined, 20_000]);
});

test('a tool that may take longer than a timer can wait, as for a film of a day, is heard to its end', async () => {
  const aDayOfFilmMs = 24 * 60 * 60 * 120 * 1_000;
  const { exitCode, overrun, stdout } = await runTool({ ...shell('head -c 64000000 /dev/zero | wc -c'), timeoutMs: aDayOfFilmMs });
  expect([exitCode, overrun, stdout.trim()]).toEqual([0, undefined, '64000000']);
});
