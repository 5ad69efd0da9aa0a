import { watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** A moment at which a process is killed: when this many files below the index folder have changed since the watch began. */
export interface KillMoment {
  /** Path of the change that was met, with `*` for what differs from run to run; `nothing` when time was up before. */
  readonly step: string;
}

/** Watches the index folder from now on; `reached` ends at the nth change of a file whose path fits, or when time is up. */
export function watchIndexFolder(folder: string, { nth, fits = /./, withinMs }: { nth: number; fits?: RegExp; withinMs: number }) {
  let seen = 0;
  const { promise, resolve } = Promise.withResolvers<KillMoment>();
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name === null || !fits.test(name)) return;
    seen += 1;
    if (seen === nth) resolve({ step: stepOf(name) });
  });
  // A folder that goes while it is watched.
  watcher.on('error', () => {});
  const timeUp = new AbortController();
  const reached = Promise.race([promise, wait(withinMs, { step: 'nothing' }, { signal: timeUp.signal })]).finally(() => {
    watcher.close();
    timeUp.abort();
  });
  return { reached };
}

function stepOf(name: string): string {
  const [, ...inGeneration] = name.startsWith('g-') ? name.split('/') : ['', name];
  const [table = 'generation', part = 'folder'] = inGeneration;
  if (!table.endsWith('.lance')) return table;
  return `${table.replace(/-\d+-/, ' ').replace('.lance', '')} ${part.replace(/^_/, '')}`;
}
