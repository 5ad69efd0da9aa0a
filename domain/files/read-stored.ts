import type { FileStore } from './store.ts';

/** All bytes of a stored file; null when there is none. For files that are known to be small. */
export async function readStored(store: FileStore, key: string): Promise<Buffer | null> {
  return (await (await store.openRange(key))?.bytes()) ?? null;
}
