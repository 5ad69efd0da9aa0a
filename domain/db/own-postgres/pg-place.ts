import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { isAlive } from '../is-alive.ts';
import { OperatorFault } from '../operator-fault.ts';

/** Where one PostgreSQL has its things. */
export interface PgPlace {
  /** What is locked; everything else lies in it. */
  readonly folder: string;
  readonly dataFolder: string;
  /** Folder of its socket. */
  readonly host: string;
  readonly logFile: string;
  /** Whether it ends with the process that started it. */
  readonly tied: boolean;
}

/** Major version of the PostgreSQL that comes with the archive; its folder carries it in its name. */
export const postgresMajor = 18;

/** Makes the folders of a PostgreSQL under `folder`. Throws an OperatorFault where its socket would lie in a folder of somebody else. */
export function makePgPlace(folder: string, { tied }: { tied: boolean }): PgPlace {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const dataFolder = join(folder, `pg${postgresMajor}`);
  return { folder, dataFolder, host: socketFolder(folder), logFile: join(folder, 'postgres.log'), tied };
}

/** A Unix socket's path may have 107 bytes; deep folders get a short one in the system's temporary folder. */
function socketFolder(folder: string): string {
  if (Buffer.byteLength(folder) < 85) return folder;
  const short = join(tmpdir(), `rushes-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  if (!isOurs(short))
    throw new OperatorFault(`${short} was made by somebody else and may lead to a false database; remove it, or shorten RUSHES_DATA.`);
  return short;
}

/** Everybody may write into the temporary folder, so its names prove nothing. */
function isOurs(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  const own = process.getuid?.() ?? uid;
  // Where root runs the database as nobody, the folder is nobody's.
  return (uid === own || (own === 0 && uid === 65_534)) && (mode & 0o170022) === 0o040000;
}

/**
 * The postmaster that serves this data folder, if this process can see it: the number in `postmaster.pid` counts only when a process of
 * that number works in the folder. One in another container has a number of that container, which here may be anybody's.
 */
export function findPostmaster(dataFolder: string): number | undefined {
  const pid = notedPid(pidFile(dataFolder));
  return pid !== undefined && lookAt(pid, dataFolder) === 'serves' ? pid : undefined;
}

/**
 * Removes a `postmaster.pid`, and the same beside the socket, whose number another process has by now: PostgreSQL would refuse to start.
 * To be called by the holder of the lock only: it alone knows that no postmaster lives elsewhere.
 */
export function removeStalePidFiles({ dataFolder, host }: { dataFolder: string; host: string }): void {
  for (const file of [pidFile(dataFolder), join(host, '.s.PGSQL.5432.lock')]) {
    const pid = notedPid(file);
    if (pid !== undefined && lookAt(pid, dataFolder) === 'other') rmSync(file, { force: true });
  }
}

function lookAt(pid: number, dataFolder: string): 'serves' | 'other' | 'gone' | 'unknown' {
  if (!isAlive(pid)) return 'gone';
  // Elsewhere there is nothing to look at, and there are no namespaces either.
  if (process.platform !== 'linux') return 'serves';
  try {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return 'other';
    // PostgreSQL makes its data folder its working directory, and has none any more once it is dead.
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(dataFolder)];
    return its.ino === ours.ino && its.dev === ours.dev ? 'serves' : 'other';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'gone' : 'unknown';
  }
}

function notedPid(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8').split('\n')[0]) || undefined;
  } catch {
    return undefined;
  }
}

function pidFile(dataFolder: string): string {
  return join(dataFolder, 'postmaster.pid');
}
