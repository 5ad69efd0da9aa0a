import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

const binaries = '/usr/lib/postgresql/15/bin';

/** Whether this machine has Debian's PostgreSQL 15. */
export const hasDebianPostgres = existsSync(join(binaries, 'postgres'));

/** A server of it with an empty database; `url` is what an operator would put into DATABASE_URL, over TCP where it is given a port. */
export async function startDebianPostgres(port?: number): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rushes-pg15-'));
  const data = join(folder, 'data');
  runPostgres('initdb', ['-D', data, '-U', 'app', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']);
  const listens = port === undefined ? ['-c', 'listen_addresses='] : ['-c', 'listen_addresses=127.0.0.1', '-p', `${port}`];
  const [command = '', ...args] = asOrdinaryUser(postgresProgram('postgres'), ['-D', data, '-k', folder, ...listens]);
  const server = spawn(command, args, { stdio: 'ignore' });
  const there = ['-h', folder, ...(port === undefined ? [] : ['-p', `${port}`])];
  await until(() => spawnSync(postgresProgram('pg_isready'), there).status === 0);
  runPostgres('createdb', [...there, '-U', 'app', 'archive']);
  return {
    url:
      port === undefined
        ? `postgres://app@localhost/archive?host=${encodeURIComponent(folder)}`
        : `postgres://app@127.0.0.1:${port}/archive`,
    stop: async () => {
      const gone = once(server, 'exit');
      server.kill('SIGINT');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where a program of it lies. */
export function postgresProgram(name: string): string {
  return join(binaries, name);
}

/** Runs a program of it to its end. Throws what it said where it failed. */
export function runPostgres(name: string, programArgs: string[]): void {
  const [command = '', ...args] = asOrdinaryUser(postgresProgram(name), programArgs);
  const done = spawnSync(command, args, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${name}: ${done.stderr}`);
}

/** How a program is started that refuses to run as root, as PostgreSQL does. */
export function asOrdinaryUser(program: string, args: string[]): string[] {
  const namespace = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : [];
  return [...namespace, program, ...args];
}
