import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { postgresBinaries } from './postgres-binaries.ts';

export interface LocalPg {
  /** Socket folder: what `pg` takes as `host`. */
  readonly host: string;
  readonly user: 'app';
  /** Ends the server when nobody else is connected; waits until it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL under `folder`, or adopts the one that already runs there; safe to call from several processes
 * at once (a second postmaster refuses the directory by itself). With `tied` it ends when this process dies, also by SIGKILL.
 */
export async function startLocalPg(folder: string, options: { tied?: boolean } = {}): Promise<LocalPg> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const dataFolder = join(folder, 'pg18');
  const host = socketFolder(folder);
  const startsBefore = Date.now() + 60_000;
  let lastSpawnAt = 0;
  while (!(await answers(host))) {
    if (Date.now() > startsBefore) throw new Error(`PostgreSQL did not start; its log is ${join(folder, 'postgres.log')}`);
    if (Date.now() - lastSpawnAt > 1_500) {
      lastSpawnAt = Date.now();
      if (!existsSync(join(dataFolder, 'PG_VERSION'))) initialise(folder, dataFolder);
      spawnPostmaster({ folder, dataFolder, host, tied: options.tied ?? false });
    }
    await wait(25);
  }
  return { host, user: 'app', stop: () => stopUnlessUsed(host, dataFolder) };
}

/** A Unix socket's path may have 107 bytes; deep folders get a short one in the system's temporary folder. */
function socketFolder(folder: string): string {
  if (Buffer.byteLength(folder) < 85) return folder;
  const short = join(tmpdir(), `rushes-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  return short;
}

/** The truth about readiness is a connection; a pid file outlives its process. */
async function answers(host: string): Promise<boolean> {
  const client = new pg.Client({ host, user: 'app', database: 'postgres', connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function initialise(folder: string, dataFolder: string): void {
  const flags = ['-U', 'app', '--auth=trust', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const call = asOrdinaryUser(join(postgresBinaries(), 'initdb'), ['-D', dataFolder, ...flags], folder);
  const done = spawnSync(call.command, call.args, { ...call.identity, encoding: 'utf8' });
  // Another process may have been quicker with the same directory.
  if (done.status !== 0 && !existsSync(join(dataFolder, 'PG_VERSION'))) throw new Error(`initdb: ${done.stderr || done.error?.message}`);
}

function spawnPostmaster(at: { folder: string; dataFolder: string; host: string; tied: boolean }): void {
  const settings = ['listen_addresses=', 'shared_buffers=64MB', 'logging_collector=off', 'max_connections=100'];
  const args = ['-D', at.dataFolder, '-k', at.host, ...settings.flatMap((setting) => ['-c', setting])];
  const call = asOrdinaryUser(join(postgresBinaries(), 'postgres'), args, at.folder);
  const tie = at.tied && process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'INT', 'true']).status === 0;
  const [command, commandArgs] = tie ? ['setpriv', ['--pdeathsig', 'INT', call.command, ...call.args]] : [call.command, call.args];
  spawn(command, commandArgs, { ...call.identity, stdio: 'ignore', detached: true }).unref();
}

/** PostgreSQL refuses to run as root: a user namespace makes it an ordinary user there, else the nobody user owns the folder. */
function asOrdinaryUser(command: string, args: string[], folder: string) {
  if (process.getuid?.() !== 0) return { command, args, identity: {} };
  const namespace = ['--user', '--map-user=1000', '--map-group=1000'];
  if (spawnSync('unshare', [...namespace, 'true']).status === 0)
    return { command: 'unshare', args: [...namespace, command, ...args], identity: {} };
  chownSync(folder, 65_534, 65_534);
  return { command, args, identity: { uid: 65_534, gid: 65_534 } };
}

async function stopUnlessUsed(host: string, dataFolder: string): Promise<void> {
  const client = new pg.Client({ host, user: 'app', database: 'postgres', connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const others = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    if ((others.rows[0]?.n ?? 0) > 0) return;
  } catch {
    // Already gone, or going: the signal below finds out.
  } finally {
    await client.end().catch(() => {});
  }
  const pid = postmasterPid(dataFolder);
  if (pid === undefined) return;
  signal(pid, 'SIGINT');
  while (isAlive(pid) && existsSync(join(dataFolder, 'postmaster.pid'))) await wait(10);
}

function postmasterPid(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  return signal(pid, 0);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
