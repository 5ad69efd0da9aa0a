import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';
import { ownEnvironment } from './own-environment.ts';
import { until } from './until.ts';

export interface RunningArchive {
  /** `http://localhost:PORT`, where the pages are. */
  readonly origin: string;
  /** Of the server process. */
  readonly pid: number;
  /** Everything that the server and its worker printed. */
  readonly output: () => string;
  /** Asks the server to stop by SIGTERM and waits until it is gone. */
  stop(): Promise<void>;
}

const root = resolve(import.meta.dirname, '..');

/**
 * Starts the real server (`commands/start.ts`) as a process of its own, on a free port unless one is given, and waits until it is ready.
 * Without an address it starts a PostgreSQL of its own, as in `npm start`.
 */
export async function startArchive(options: {
  dataFolder: string;
  databaseUrl?: string;
  port?: number;
  env?: Record<string, string>;
  /** Folder of another version of the project. */
  version?: string;
}): Promise<RunningArchive> {
  const port = options.port ?? (await freePort());
  const origin = `http://localhost:${port}`;
  const child = spawn(process.execPath, [join(options.version ?? root, 'commands/start.ts')], {
    cwd: options.version ?? root,
    env: ownEnvironment({
      RUSHES_DATA: options.dataFolder,
      ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
      PORT: String(port),
      ...options.env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await untilReady(origin, child, () => output);
  return { origin, pid: child.pid ?? 0, output: () => output, stop: () => stopProcess(child) };
}

async function untilReady(origin: string, child: ChildProcess, output: () => string): Promise<void> {
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`);
    return (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok;
  };
  await until(isReady, { withinMs: 120_000, otherwise: () => `The server was not ready after two minutes:\n${output()}` });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
