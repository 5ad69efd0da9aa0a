import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryOfTree } from '#ingest/tools/bound-memory.ts';

/** The most that any one child of this process held, with its own children: memory, and files open at once. */
export interface Peak {
  readonly peakRssMB: number;
  readonly peakOpenFiles: number;
}

const lookEveryMs = 25;

/** Watches the children of this process until it is stopped. Only Linux tells of them; elsewhere both stay 0. */
export function watchChildren(): { stop(): Promise<Peak> } {
  let bytes = 0;
  let openFiles = 0;
  let isDone = process.platform !== 'linux';
  const watch = async () => {
    while (!isDone) {
      for (const child of await childrenOf('self')) {
        bytes = Math.max(bytes, await memoryOfTree(child));
        openFiles = Math.max(openFiles, await openFilesOfTree(child));
      }
      await wait(lookEveryMs);
    }
  };
  const watching = watch();
  return {
    stop: async () => {
      isDone = true;
      await watching;
      return { peakRssMB: Math.round(bytes / 1_048_576), peakOpenFiles: openFiles };
    },
  };
}

async function openFilesOfTree(pid: number): Promise<number> {
  const own = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const below = await Promise.all((await childrenOf(pid)).map(openFilesOfTree));
  return below.reduce((sum, count) => sum + count, own.length);
}

async function childrenOf(pid: number | 'self'): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const children = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''));
  return (await Promise.all(children)).flatMap((list) => list.split(' ').filter(Boolean)).map(Number);
}
