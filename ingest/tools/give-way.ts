import { readdirSync } from 'node:fs';
import { constants, cpus, getPriority, setPriority } from 'node:os';
import { pause } from '#domain/system/pause.ts';

const below = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lets everything else on this machine go first, for good: for work that takes long and that nobody waits for at a screen. It is for this
 * process, or for another one that has just been started. Where the system does not allow it, things stay as they are.
 */
export function giveWay(pid?: number): void {
  for (const thread of pid === undefined ? listOwnThreads() : [pid]) {
    try {
      if (getPriority(thread) < below) setPriority(thread, below);
    } catch {
      // A thread, or the other process, has ended meanwhile.
    }
  }
}

/** On Linux each thread has a priority of its own, and those that it starts get the same. */
function listOwnThreads(): number[] {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
}

/** Of the processors' time, what others may take while work goes on that has all the time in the world. */
const othersMax = 0.25;
const looksMax = 60;

interface SpareTimeOptions {
  /** What the processors did for others since it was last asked, between 0 and 1. */
  readonly inUse?: () => number;
  readonly lookEveryMs?: number;
}

/**
 * For work that nobody waits for at all: what it returns waits until this machine does little else, or half a minute, so that a machine that
 * is always busy gets on with it. A low priority is not enough: who works on the same core, or moves much memory, slows searches by a third.
 */
export function spareTime({ inUse = watchProcessors(), lookEveryMs = 500 }: SpareTimeOptions = {}): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    for (let looks = 0; looks < looksMax && !signal.aborted && inUse() > othersMax; looks++) await pause(lookEveryMs, signal);
  };
}

/** The share of the processors' time that went to processes of normal priority, since it was last asked. */
function watchProcessors(): () => number {
  let before = readProcessorTimes();
  return () => {
    const now = readProcessorTimes();
    const [all, others] = [now.all - before.all, now.others - before.others];
    before = now;
    return all > 0 ? others / all : 0;
  };
}

function readProcessorTimes(): { all: number; others: number } {
  const sums = { all: 0, others: 0 };
  for (const { times } of cpus()) {
    sums.all += times.user + times.nice + times.sys + times.idle + times.irq;
    sums.others += times.user + times.sys + times.irq;
  }
  return sums;
}
