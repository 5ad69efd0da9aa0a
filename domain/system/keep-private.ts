import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { errorCodeOf } from './error-code.ts';

/** Whom the database runs as where root starts it. */
const nobody = 65_534;

/**
 * Keeps what an archive holds from everybody else on this machine: the data folder is its owner's alone, made or narrowed, and so is
 * everything that this process and its children write from now on. Returns why that cannot be, in a sentence for the operator, where
 * the folder stays open to others; throws what the file system says when the folder cannot be made.
 */
export function keepPrivate(dataFolder: string): string | undefined {
  // Windows keeps permissions in another way, and a thread cannot set what is the process's.
  if (process.getuid === undefined) return undefined;
  if (isMainThread) process.umask(0o077);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  if (isKeptPrivately(dataFolder)) return undefined;
  const reason = narrow(dataFolder);
  if (isKeptPrivately(dataFolder)) return undefined;
  const other = 'Run the archive as the owner of that folder, or use a file system that supports owners.';
  return `RUSHES_DATA: other users of this machine can read ${dataFolder}, and this cannot be changed (${reason}). ${other}`;
}

/** Lets the nobody user reach a folder of its own below this one, and look at nothing here: for a database that root can lend no rights. */
export function letNobodyThrough(dataFolder: string): void {
  chownSync(dataFolder, statSync(dataFolder).uid, nobody);
  chmodSync(dataFolder, 0o710);
}

function narrow(folder: string): string {
  try {
    chmodSync(folder, 0o700);
    return 'the file system takes no permissions';
  } catch (error) {
    return errorCodeOf(error) || String(error);
  }
}

/** Whether nobody else on this machine can look into a folder. */
export function isKeptPrivately(folder: string): boolean {
  const { mode, gid } = statSync(folder);
  return (mode & (gid === nobody ? 0o067 : 0o077)) === 0;
}
