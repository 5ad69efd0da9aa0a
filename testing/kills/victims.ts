import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processesOf } from '../npm-archive.ts';
import { until } from '../until.ts';

/** Those that indexing needs. */
export const victims = ['index', 'worker', 'database', 'server'] as const;
/** `tool`: whatever reads a film at this moment, if anything does. */
export type Victim = (typeof victims)[number] | 'tool';

const mainFiles = { index: 'commands/index-child.ts', worker: 'commands/worker.ts', server: 'commands/start.ts' };

/** Kills these processes of the archive as a crash would, the database with all that serve it; waits until they are gone. */
export async function killOf(victim: Victim, dataFolder: string): Promise<void> {
  const pids = pidsOfVictim(victim, dataFolder);
  for (const pid of pids) kill(pid);
  await until(() => pids.every((pid) => !isAlive(pid)), { otherwise: () => `${victim} outlives kill -9: ${pids.join(', ')}` });
}

/** Whether such a process of the archive lives. */
export function lives(victim: Victim, dataFolder: string): boolean {
  return pidsOfVictim(victim, dataFolder).length > 0;
}

function pidsOfVictim(victim: Victim, dataFolder: string): number[] {
  if (victim === 'database') return databasePids(dataFolder);
  if (victim === 'tool') return toolPids(dataFolder);
  return pidsOf(mainFiles[victim], dataFolder);
}

/** Everything that a worker has started, but what writes the index. */
function toolPids(dataFolder: string): number[] {
  const workers = [...pidsOf(mainFiles.worker, dataFolder), ...pidsOf('commands/import.ts', dataFolder)];
  return workers.flatMap(descendantsOf).filter((pid) => !pidsOf(mainFiles.index, dataFolder).includes(pid));
}

function descendantsOf(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return children.flatMap((name) => [Number(name), ...descendantsOf(Number(name))]);
}

function pidsOf(mainFile: string, dataFolder: string): number[] {
  return processesOf(dataFolder)
    .filter(({ command }) => command.includes(mainFile))
    .map(({ pid }) => pid);
}

/** The postmaster first, so that it does not replace those that fall. */
function databasePids(dataFolder: string): number[] {
  try {
    const postmaster = Number(readFileSync(join(dataFolder, 'pg', 'pg18', 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (!isAlive(postmaster)) return [];
    const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster);
    return [postmaster, ...children.map(Number)];
  } catch {
    return [];
  }
}

function parentOf(pid: string): number {
  try {
    // The name in brackets may hold anything.
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** A process that nobody has waited for yet is as dead as one that is gone. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
