import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from './error-code.ts';
import { letNobodyThrough } from './keep-private.ts';
import { postgresBinaries } from './postgres-binaries.ts';

export interface LocalPg {
  /** Socket folder: what `pg` takes as `host`. */
  readonly host: string;
  readonly user: 'app';
  /** Starts the server again whenever it dies, until `stop` is called. */
  keepRunning(): void;
  /** Ends the server when nobody else is connected; waits until it is gone. */
  stop(): Promise<void>;
}

/** The folders of one server: what it was told, its data, and its socket. */
interface Place {
  readonly folder: string;
  readonly dataFolder: string;
  readonly host: string;
  readonly tied: boolean;
}

const lookEveryMs = 1_000;

/**
 * Starts the PostgreSQL under `folder`, or adopts the one that already runs there; safe to call from several processes
 * at once (a second postmaster refuses the directory by itself). With `tied` it ends when this process dies, also by SIGKILL.
 */
export async function startLocalPg(folder: string, options: { tied?: boolean } = {}): Promise<LocalPg> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place: Place = { folder, dataFolder: join(folder, 'pg18'), host: socketFolder(folder), tied: options.tied ?? false };
  await untilAnswering(place);
  let watch: NodeJS.Timeout | undefined;
  return {
    host: place.host,
    user: 'app',
    keepRunning: () => {
      watch ??= setInterval(() => void restartWhenDead(place), lookEveryMs).unref();
    },
    stop: () => {
      clearInterval(watch);
      return stopUnlessUsed(place);
    },
  };
}

async function untilAnswering(place: Place): Promise<void> {
  const startsBefore = Date.now() + 60_000;
  let lastSpawnAt = 0;
  while (!(await answers(place.host))) {
    if (Date.now() > startsBefore) throw new Error(`PostgreSQL did not start; its log is ${logFile(place)}`);
    if (Date.now() - lastSpawnAt > 1_500) {
      lastSpawnAt = Date.now();
      if (!existsSync(place.dataFolder)) initialise(place);
      spawnPostmaster(place);
    }
    await wait(25);
  }
}

async function restartWhenDead(place: Place): Promise<void> {
  const pid = postmasterPid(place.dataFolder);
  if (pid !== undefined && isAlive(pid)) return;
  // A failure shows in every query, and the next look tries again.
  await untilAnswering(place).catch(() => {});
}

/** A Unix socket's path may have 107 bytes; deep folders get a short one in the system's temporary folder. */
function socketFolder(folder: string): string {
  if (Buffer.byteLength(folder) < 85) return folder;
  const short = join(tmpdir(), `rushes-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  if (!isOurs(short))
    throw new Error(`${short} was made by somebody else and may lead to a false database; remove it, or shorten RUSHES_DATA`);
  return short;
}

/** Everybody may write into the temporary folder, so its names prove nothing. */
function isOurs(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  const own = process.getuid?.() ?? uid;
  // Where root runs the database as nobody, the folder is nobody's.
  return (uid === own || (own === 0 && uid === nobody)) && (mode & 0o170022) === 0o040000;
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

/** Made under another name and renamed, so that a process killed half way leaves nothing that looks whole. */
function initialise({ folder, dataFolder }: Place): void {
  const draft = `${dataFolder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  const flags = ['-U', 'app', '--auth=trust', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const call = asOrdinaryUser([join(postgresBinaries(), 'initdb'), '-D', draft, ...flags], { folders: [folder], tied: false });
  const done = spawnSync(call.command, call.args, { ...call.identity, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`initdb: ${done.stderr || done.error?.message}`);
  try {
    renameSync(draft, dataFolder);
  } catch (error) {
    // Another process was quicker with the same folder.
    if (!existsSync(dataFolder)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

function spawnPostmaster(place: Place): void {
  const settings = ['listen_addresses=', 'shared_buffers=64MB', 'logging_collector=off', 'log_checkpoints=off', 'max_connections=100'];
  const args = ['-D', place.dataFolder, '-k', place.host, ...settings.flatMap((setting) => ['-c', setting])];
  const call = asOrdinaryUser([join(postgresBinaries(), 'postgres'), ...args], { folders: [place.folder, place.host], tied: place.tied });
  const log = openSync(logFile(place), 'a', 0o600);
  spawn(call.command, call.args, { ...call.identity, stdio: ['ignore', log, log], detached: true }).unref();
  closeSync(log);
}

function logFile({ folder }: Place): string {
  return join(folder, 'postgres.log');
}

/**
 * PostgreSQL refuses to run as root, and as a user that has no name here, as containers often have. In both cases a user
 * namespace makes it the nobody user; where there are none, root gives it the folders and that user for real.
 */
function asOrdinaryUser(command: string[], { folders, tied }: { folders: string[]; tied: boolean }) {
  const tie = tied && canSetPrivileges(tieFlags) ? tieFlags : [];
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return withPrivileges(tie, command);
  const namespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];
  if (spawnSync('unshare', [...namespace.slice(1), 'true']).status === 0) return withPrivileges(tie, [...namespace, ...command]);
  if (!isRoot) return withPrivileges(tie, command);
  for (const folder of folders) chownSync(folder, nobody, nobody);
  // Nobody may not look into root's own folders, where archive and programs may lie: it keeps root's right to.
  if (canSetPrivileges(nobodyFlags)) return withPrivileges([...tie, ...nobodyFlags], command);
  for (const folder of folders.slice(0, 1)) letNobodyThrough(dirname(folder));
  return { ...withPrivileges(tie, command), identity: { uid: nobody, gid: nobody } };
}

const nobody = 65_534;
const tieFlags = ['--pdeathsig', 'INT'];
const nobodyFlags = [
  '--reuid',
  `${nobody}`,
  '--regid',
  `${nobody}`,
  '--clear-groups',
  '--inh-caps=+dac_override',
  '--securebits=+no_setuid_fixup',
  '--ambient-caps=+dac_override',
];

function canSetPrivileges(flags: string[]): boolean {
  return process.platform === 'linux' && spawnSync('setpriv', [...flags, 'true']).status === 0;
}

function withPrivileges(flags: string[], [command = '', ...args]: string[]) {
  if (flags.length === 0) return { command, args, identity: {} };
  return { command: 'setpriv', args: [...flags, command, ...args], identity: {} };
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

async function stopUnlessUsed({ host, dataFolder }: Place): Promise<void> {
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
    return errorCode(error) === 'EPERM';
  }
}
