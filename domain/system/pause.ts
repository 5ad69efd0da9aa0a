import { setTimeout as wait } from 'node:timers/promises';

/** Waits so many milliseconds, or until the signal; `ref: false` keeps no process alive for it. */
export async function pause(ms: number, signal?: AbortSignal, { ref = true }: { ref?: boolean } = {}): Promise<void> {
  await wait(ms, undefined, { ref, ...(signal ? { signal } : {}) }).catch(() => {});
}
