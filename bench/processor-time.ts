import { readdirSync, readFileSync } from 'node:fs';

/** What one process has worked so far, and who started it. */
interface Worked {
  readonly parent: number;
  readonly name: string;
  /** Of itself, and of those that it started and that are gone. */
  readonly ownMs: number;
  readonly goneMs: number;
}

/** Linux counts in hundredths of a second, whatever its kernel ticks by. */
const msPerTick = 10;

/** Processor time in milliseconds, of a server and of the PostgreSQL that it started with all of its backends, as Linux counts it. */
export function serverProcessorMs(serverPid: number): number {
  const all = readAllWorked();
  const childrenOf = (pid: number) => [...all].filter(([, { parent }]) => parent === pid);
  const postmasters = childrenOf(serverPid).filter(([, { name }]) => name === 'postgres');
  const ofPostgres = postmasters.flatMap(([pid, own]) => [own.ownMs + own.goneMs, ...childrenOf(pid).map(([, child]) => child.ownMs)]);
  return (all.get(serverPid)?.ownMs ?? 0) + ofPostgres.reduce((sum, ms) => sum + ms, 0);
}

/** The same of a process and of all that it and these started, whether they are gone by now or not. */
export function familyProcessorMs(pid: number): number {
  const all = readAllWorked();
  const sumOf = (of: number): number => {
    const { ownMs, goneMs } = all.get(of) ?? { ownMs: 0, goneMs: 0 };
    return [...all].filter(([, { parent }]) => parent === of).reduce((sum, [child]) => sum + sumOf(child), ownMs + goneMs);
  };
  return sumOf(pid);
}

function readAllWorked(): Map<number, Worked> {
  return new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readWorked(Number(name))),
  );
}

/** Nothing of a process that has ended meanwhile. */
function readWorked(pid: number): [number, Worked][] {
  const stat = readStat(pid);
  // The name in brackets may hold anything, blanks and brackets too.
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
  const fields = rest.split(' ').map(Number);
  const [parent = 0] = fields.slice(1);
  const [own = 0, ownSystem = 0, gone = 0, goneSystem = 0] = fields.slice(11, 15);
  return stat === '' ? [] : [[pid, { parent, name, ownMs: (own + ownSystem) * msPerTick, goneMs: (gone + goneSystem) * msPerTick }]];
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
