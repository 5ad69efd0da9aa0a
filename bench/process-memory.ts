import { readdirSync, readFileSync } from 'node:fs';

const everyMs = 200;

interface Kept {
  readonly parent: number;
  readonly command: string;
  readonly residentBytes: number;
  /** The most that it has held so far. */
  readonly peakBytes: number;
}

/** Looks at the processes that a server has started, again and again, until it is stopped. */
export interface MemoryWatch {
  /** What its workers hold now, in bytes, without their children. */
  ofWorkers(): number;
  /** Returns the most that any child of a worker has held, in bytes. */
  stop(): number;
}

/**
 * The most megabytes that this process has held; by `/proc`, so on Linux only. What the system tells of a process's use would count what
 * its parent held when it was started.
 */
export function ownPeakMB(): number {
  const [, peakKB] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Math.round((Number(peakKB ?? 0) * 1_024) / 1_000_000);
}

/** Watches what the workers below a server hold, and each of the processes that they start; by `/proc`, so on Linux only. */
export function watchMemory(serverPid: number): MemoryWatch {
  let peak = 0;
  const look = () => {
    const all = readAll();
    const workers = workersOf(all, serverPid);
    for (const [pid, { residentBytes }] of all) if (isBelow(all, pid, workers)) peak = Math.max(peak, residentBytes);
  };
  const timer = setInterval(look, everyMs);
  return {
    ofWorkers: () => {
      const all = readAll();
      return [...workersOf(all, serverPid)].reduce((sum, pid) => sum + (all.get(pid)?.residentBytes ?? 0), 0);
    },
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Looks at the processes that work for steps, again and again, until it is disposed of. */
export interface StepMemory extends Disposable {
  /** The most that one process of a step has held, in megabytes; null where none was seen. */
  peakMB(step: string): number | null;
}

/** The folder of a step that a process writes into or reads from, as it stands in its command line. */
const stepFolder = /\/[0-9a-f]{10}-([a-z-]+)[/"]/;

/** Watches what the decoders and engines below this process hold, by the step that each works for; by `/proc`, so on Linux only. */
export function watchSteps(): StepMemory {
  const peaks = new Map<string, number>();
  const look = () => {
    const all = readAll();
    for (const [pid, { command, peakBytes }] of all) {
      const step = stepFolder.exec(command)?.[1];
      if (step !== undefined && isBelow(all, pid, new Set([process.pid]))) peaks.set(step, Math.max(peaks.get(step) ?? 0, peakBytes));
    }
  };
  const timer = setInterval(look, everyMs);
  return {
    peakMB: (step) => {
      const peak = peaks.get(step);
      return peak === undefined ? null : Math.round(peak / 1_000_000);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function workersOf(all: ReadonlyMap<number, Kept>, serverPid: number): Set<number> {
  const below = [...all].filter(([pid]) => isBelow(all, pid, new Set([serverPid])));
  return new Set(below.filter(([, { command }]) => command.includes('commands/worker.ts')).map(([pid]) => pid));
}

function isBelow(all: ReadonlyMap<number, Kept>, pid: number, ancestors: ReadonlySet<number>): boolean {
  for (let at = all.get(pid)?.parent; at !== undefined && at > 1; at = all.get(at)?.parent) if (ancestors.has(at)) return true;
  return false;
}

function readAll(): Map<number, Kept> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(pids.flatMap((pid) => readOne(pid)));
}

/** Nothing of a process that has ended meanwhile. */
function readOne(pid: string): [number, Kept][] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return [
      [Number(pid), { parent: numberOf('PPid'), command, residentBytes: numberOf('VmRSS') * 1_024, peakBytes: numberOf('VmHWM') * 1_024 }],
    ];
  } catch {
    return [];
  }
}
