import { type EventEmitter, once } from 'node:events';
import type { Log } from './log.ts';

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** With this code the worker says: starting me again changes nothing, the operator must act; it has printed what to do. */
const operatorMustAct = 78;

/** What is asked of a started process. */
export interface WorkerChild extends EventEmitter {
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
}

export interface WorkerProcess {
  /** Asks the worker to give its jobs back and end; one that has not after `patienceMs` is killed. */
  stop(patienceMs: number): Promise<void>;
}

/** Keeps one ingest worker running: a crash is followed by a new one, after a pause that grows while crashes follow each other. */
export function keepWorkerRunning(spawnWorker: () => WorkerChild, options: { log: Log; onGivingUp: () => void }): WorkerProcess {
  let child: WorkerChild;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = firstPauseMs;
  let stopping = false;
  const start = () => {
    const startedAt = Date.now();
    child = spawnWorker();
    child.on('error', (error) => options.log.error('worker did not start', { error }));
    child.on('exit', (code, signal) => {
      if (stopping) return;
      if (code === operatorMustAct) return options.onGivingUp();
      options.log.error('worker ended, starting it again', { code, signal });
      if (Date.now() - startedAt > longestPauseMs) pauseMs = firstPauseMs;
      timer = setTimeout(start, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    });
  };
  start();
  return {
    stop: async (patienceMs) => {
      stopping = true;
      clearTimeout(timer);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await gone;
      clearTimeout(killer);
    },
  };
}
