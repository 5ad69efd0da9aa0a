import { readStored } from '#domain/files/read-stored.ts';
import type { FileStore } from '#domain/files/store.ts';

/** All bytes of a stored file that has to be there. */
export async function storedBytes(store: FileStore, key: string): Promise<Buffer> {
  const bytes = await readStored(store, key);
  if (!bytes) throw new Error(`there is no ${key}`);
  return bytes;
}
