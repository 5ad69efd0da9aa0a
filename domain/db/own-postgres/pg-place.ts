import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCodeOf } from '../../system/error-code.ts';
import { isAlive } from '../../system/is-alive.ts';
import { OperatorFault } from '../../system/operator-fault.ts';

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
  return { folder, dataFolder, host: chooseSocketFolder(folder), logFile: join(folder, 'postgres.log'), tied };
}

/** The major versions of the PostgreSQLs whose databases lie under `folder`. */
export function majorsIn(folder: string): number[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => Number(/^pg(\d+)$/.exec(name)?.[1] ?? []));
}

/** A Unix socket's path may have 107 bytes; deep folders get a short one in the system's temporary folder. */
function chooseSocketFolder(folder: string): string {
  if (Buffer.byteLength(folder) < 85) return folder;
  const short = join(tmpdir(), `rushes-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  if (!isOurs(short))
    throw new OperatorFault(`${short} was created by another user and may lead to the wrong database; remove it, or shorten RUSHES_DATA.`);
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
  const pid = readPid(pidFileIn(dataFolder));
  return pid !== undefined && lookAt(pid, dataFolder) === 'serves' ? pid : undefined;
}

/**
 * Removes a `postmaster.pid`, and the same beside the socket, whose number another process has by now: PostgreSQL would refuse to start.
 * To be called by the holder of the lock only: it alone knows that no postmaster lives elsewhere.
 */
export function removeStalePidFiles({ dataFolder, host }: { dataFolder: string; host: string }): void {
  for (const file of [pidFileIn(dataFolder), join(host, '.s.PGSQL.5432.lock')]) {
    const pid = readPid(file);
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
    return errorCodeOf(error) === 'ENOENT' ? 'gone' : 'unknown';
  }
}

function readPid(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8').split('\n')[0]) || undefined;
  } catch {
    return undefined;
  }
}

function pidFileIn(dataFolder: string): string {
  return join(dataFolder, 'postmaster.pid');
}

/** What Linux calls the kinds of disks that another machine may write to as well. */
const networkDisks: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0xaad7aaea, 'PanFS'],
  [0x61636673, 'ACFS'],
  [0x20030528, 'OrangeFS'],
  [0x013111a8, 'IBRIX'],
  [0xbeefdead, 'SNFS'],
  [0x786f4256, 'a VirtualBox shared folder'],
  [0xbacbacbc, 'a VMware shared folder'],
  [0x7c7c6673, 'a Parallels shared folder'],
]);
const fuse = 0x65735546;

/**
 * Throws where the database may not lie: on a disk whose locks other machines do not heed, or that promises more than it keeps when the
 * power goes. `type` is the number that Linux gives the kind of disk. Only the database's own folder is asked for; media may lie anywhere.
 */
export function refuseNetworkDisk(folder: string, { allowsFuse, type = typeOf(folder) }: { allowsFuse: boolean; type?: number }): void {
  const wayOut = `Set RUSHES_DATA to a folder on a disk of this machine (its media folder may be a link to, or a mount of, the network), or name a database by DATABASE_URL`;
  // Some machines give the number with a sign.
  const kind = type >>> 0;
  const network = networkDisks.get(kind);
  if (network !== undefined)
    throw new OperatorFault(
      `The database cannot be kept in ${folder}: that is ${network}, which several machines may write to. ${wayOut}.`,
    );
  if (kind === fuse && !allowsFuse) {
    throw new OperatorFault(
      `The database cannot be kept in ${folder}: that is a FUSE file system, whose locks and writes may be unreliable. ${wayOut}; RUSHES_ALLOW_FUSE=1 declares that this one is a reliable local disk.`,
    );
  }
}

/** Only Linux has these numbers. */
function typeOf(folder: string): number {
  return process.platform === 'linux' ? Number(statfsSync(folder, { bigint: true }).type & 0xffffffffn) : 0;
}
