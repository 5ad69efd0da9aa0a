import { readFileSync } from 'node:fs';

const lookEveryMs = 500;

/**
 * Calls `onGone` when npm, or the shell that it put between us, has died: neither passes every signal on,
 * and a server that nobody holds any more would keep the port.
 */
export function watchNpm(lifecycleEvent: string | undefined, onGone: () => void): () => void {
  if (!lifecycleEvent) return () => {};
  const parent = process.ppid;
  const grandparent = parentOf(parent);
  const timer = setInterval(() => {
    if (process.ppid !== parent || (grandparent !== undefined && parentOf(parent) !== grandparent)) onGone();
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** Linux only; elsewhere the shell's own death is all that can be seen. */
function parentOf(pid: number): number | undefined {
  try {
    // The name in brackets may hold spaces; the parent is the second field after it.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}
