import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isAlive } from '#domain/system/is-alive.ts';
import { runTool } from './run-tool.ts';

/** The bound of one decoder. */
interface Bound extends AsyncDisposable {
  /** Words before the command line that bring it under the bound. */
  readonly words: readonly string[];
  /** Whether the decoder with this process id has gone over it; one that has must be ended, unless the system did that. */
  readonly isOver: (pid: number) => Promise<boolean>;
}

/** How much memory a decoder may hold, kept by the kernel where it lets us, else by looking at it many times a second. */
export interface BoundMemory {
  open(maxBytes: number): Promise<Bound>;
}

/** How the two kinds of memory groups name their things. */
interface Kind {
  readonly mount: string;
  readonly line: RegExp;
  readonly max: string;
  readonly swapMax: string;
  readonly swapBytes: (maxBytes: number) => number;
  readonly events: string;
}

const kinds: readonly Kind[] = [
  {
    mount: '/sys/fs/cgroup',
    line: /^0::(.*)$/m,
    max: 'memory.max',
    swapMax: 'memory.swap.max',
    swapBytes: () => 0,
    events: 'memory.events',
  },
  {
    mount: '/sys/fs/cgroup/memory',
    line: /^\d+:memory:(.*)$/m,
    max: 'memory.limit_in_bytes',
    swapMax: 'memory.memsw.limit_in_bytes',
    swapBytes: (maxBytes: number) => maxBytes,
    events: 'memory.oom_control',
  },
];
/** What a program ends with that was never begun: what should hold it could not be put up. It says nothing of what it was to read. */
export const notHeldCode = 71;
const joinGroup = ['sh', '-c', `echo $$ >"$1" || exit ${notHeldCode}; shift; exec "$@"`, 'sh'];
const ownName = /^rushes-decoder-(\d+)-\d+$/;
// The kernel does not count the pages of programs that others have read before.
const countedShare = 0.9;
// What is looked at now and then is ended a little before it has taken all that it may.
const watchedShare = 0.85;
const tryBytes = 64 * 1024 ** 2;
const quickMs = 10_000;
let opened = 0;

/** Finds out how memory can be bounded here, and removes the groups of workers that were killed. */
export async function findBoundMemory(): Promise<BoundMemory> {
  for (const kind of kinds) {
    const parent = await readOwnGroup(kind).catch(() => undefined);
    if (!parent) continue;
    await sweepGroups(parent);
    const open = (maxBytes: number) => openGroup(kind, parent, maxBytes);
    if (await takesProcesses(open)) return { open };
  }
  return watchedMemory;
}

async function takesProcesses(open: BoundMemory['open']): Promise<boolean> {
  try {
    await using bound = await open(tryBytes);
    const [command = '', ...args] = [...bound.words, 'true'];
    const { exitCode } = await runTool({ command, args, env: { PATH: '/usr/bin:/bin' }, timeoutMs: quickMs });
    return exitCode === 0;
  } catch {
    return false;
  }
}

async function readOwnGroup({ mount, line }: Kind): Promise<string | undefined> {
  const path = line.exec(await readFile('/proc/self/cgroup', 'utf8'))?.[1];
  return path === undefined ? undefined : join(mount, path);
}

async function openGroup(kind: Kind, parent: string, maxBytes: number): Promise<Bound> {
  opened += 1;
  const group = join(parent, `rushes-decoder-${process.pid}-${opened}`);
  await mkdir(group);
  const close = () => removeGroup(group);
  try {
    // The kernel has made the file, or this is a folder like any other.
    await writeFile(join(group, kind.max), String(Math.floor(maxBytes * countedShare)), { flag: 'r+' });
  } catch (error) {
    await close();
    throw error;
  }
  // Where there is no swap, the file may be missing.
  await writeFile(join(group, kind.swapMax), String(kind.swapBytes(Math.floor(maxBytes * countedShare))), { flag: 'r+' }).catch(() => {});
  return {
    words: [...joinGroup, join(group, 'cgroup.procs')],
    isOver: async () => /^oom_kill [1-9]/m.test(await readFile(join(group, kind.events), 'utf8').catch(() => '')),
    [Symbol.asyncDispose]: close,
  };
}

/** Those that were ended leave a moment later. What stays behind is small, and the next start removes it. */
async function removeGroup(group: string): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const isGone = await rmdir(group).then(
      () => true,
      () => false,
    );
    if (isGone) return;
    await wait(50);
  }
}

async function sweepGroups(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const [, worker] = ownName.exec(name) ?? [];
    // The group of another worker may be about to get its decoder; one that holds a process cannot be removed anyway.
    if (worker !== undefined && !isAlive(Number(worker))) await rmdir(join(parent, name)).catch(() => {});
  }
}

/** The bound where the kernel keeps none. */
export const watchedMemory: BoundMemory = {
  open: (maxBytes) =>
    Promise.resolve({
      words: [],
      isOver: async (pid) => (await memoryOfTree(pid)) > maxBytes * watchedShare,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};

/** Bytes of memory that a process and everything it has started hold now; 0 when it is gone, and where there is no /proc. */
export async function memoryOfTree(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  let bytes = 0;
  // What was moved to a disk meanwhile is held as well.
  for (const [, kilobytes] of status.matchAll(/^Vm(?:RSS|Swap):\s*(\d+) kB$/gm)) bytes += Number(kilobytes) * 1_024;
  // Each thread lists the children that it has started.
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const children = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '');
    for (const child of children.split(' ').filter(Boolean)) bytes += await memoryOfTree(Number(child));
  }
  return bytes;
}
