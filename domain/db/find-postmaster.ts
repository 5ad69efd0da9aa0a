import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * The postmaster that serves this data folder, if this process can see it: the number in `postmaster.pid` counts only when a process of
 * that number works in the folder. One in another container has a number of that container, which here may be anybody's.
 */
export function findPostmaster(dataFolder: string): number | undefined {
  const pid = notedPid(dataFolder);
  return pid !== undefined && lookAt(pid, dataFolder) === 'serves' ? pid : undefined;
}

/**
 * Removes a `postmaster.pid` whose number another process has by now, for which PostgreSQL would wait forever.
 * To be called by the holder of the lock only: it alone knows that no postmaster lives elsewhere.
 */
export function removeStalePidFile(dataFolder: string): void {
  const pid = notedPid(dataFolder);
  if (pid !== undefined && lookAt(pid, dataFolder) === 'other') rmSync(pidFile(dataFolder), { force: true });
}

function lookAt(pid: number, dataFolder: string): 'serves' | 'other' | 'gone' | 'unknown' {
  if (!isAlive(pid)) return 'gone';
  // Elsewhere there is nothing to look at, and there are no namespaces either.
  if (process.platform !== 'linux') return 'serves';
  try {
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(dataFolder)];
    // PostgreSQL makes its data folder its working directory.
    return name === 'postgres' && its.ino === ours.ino && its.dev === ours.dev ? 'serves' : 'other';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'gone' : 'unknown';
  }
}

function notedPid(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(pidFile(dataFolder), 'utf8').split('\n')[0]) || undefined;
  } catch {
    return undefined;
  }
}

function pidFile(dataFolder: string): string {
  return join(dataFolder, 'postmaster.pid');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
