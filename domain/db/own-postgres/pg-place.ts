import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
