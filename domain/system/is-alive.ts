import { readFileSync } from 'node:fs';
import { errorCodeOf } from './error-code.ts';

/** Whether a process has this number, as far as this one can see: a number of another container may be nobody's here, or anybody's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCodeOf(error) === 'EPERM';
  }
}

/**
 * When the process of this number began, in the ticks of its machine; empty where that is not known. A number is given again, above all
 * in a container that starts anew: with this it is the same process.
 */
export function startOf(pid: number): string {
  try {
    // The name in brackets may hold anything; the 22nd field of all is the 20th behind it (proc_pid_stat(5)).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
