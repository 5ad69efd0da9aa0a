import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { ownEnvironment } from './own-environment.ts';

/** What `npm run import` did: everything that it printed, and its exit code. */
export interface ImportRun {
  readonly exitCode: number | null;
  readonly output: string;
}

type Settings = Record<string, string>;

/** Runs the import command to its end, with `settings` in its environment. */
export async function runImport(args: readonly string[], settings: Settings): Promise<ImportRun> {
  const child = startImport(args, settings);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [exitCode] = await once(child, 'close');
  return { exitCode, output };
}

/** Starts the import command. */
export function startImport(args: readonly string[], settings: Settings): ChildProcess {
  return spawn(process.execPath, [resolve(import.meta.dirname, '../commands/import.ts'), ...args], {
    env: ownEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
