import { readdir, readFile } from 'node:fs/promises';

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
