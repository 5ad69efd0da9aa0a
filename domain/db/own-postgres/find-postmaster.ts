import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { isAlive } from '../is-alive.ts';

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
