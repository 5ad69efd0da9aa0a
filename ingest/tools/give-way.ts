import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const below = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lets everything else on this machine go first, for good: for work that takes long and that nobody waits for at a screen. It is for this
 * process, or for another one that has just been started. Where the system does not allow it, things stay as they are.
 */
export function giveWay(pid?: number): void {
  for (const thread of pid === undefined ? ownThreads() : [pid]) {
    try {
      if (getPriority(thread) < below) setPriority(thread, below);
    } catch {
      // A thread, or the other process, has ended meanwhile.
    }
  }
}

/** On Linux each thread has a priority of its own, and those that it starts get the same. */
function ownThreads(): number[] {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
}
