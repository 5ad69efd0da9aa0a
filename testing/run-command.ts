import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { ownEnvironment } from './own-environment.ts';

/** What a command of the archive did: its exit code, and everything that it printed. */
export interface CommandRun {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs a command's main file (from the root of the project) to its end, with `settings` in its environment. */
export async function runCommand(file: string, args: readonly string[], settings: Readonly<Record<string, string>>): Promise<CommandRun> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '..', file), ...args], {
    env: ownEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [exitCode] = await once(child, 'close');
  return { exitCode, output };
}
