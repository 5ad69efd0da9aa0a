import { Readable } from 'node:stream';
import type { FileStore } from '#domain/files/store.ts';

/** What a machine meets that is cut off from its store in the middle of something. */
export class CutOff extends Error {}

/** The same store, out of reach from the `calls`-th call on that reads of it or puts into it; that call itself is cut in its middle. */
export function cutStore(store: FileStore, calls: number): FileStore {
  let left = calls;
  const isLast = () => --left === 0;
  const refuse = () => {
    if (left <= 0) throw new CutOff('The store is out of reach.');
  };
  return {
    ...store,
    put: async (key, from) => {
      refuse();
      await store.put(key, from);
      // It has come, and nobody was told.
      if (isLast()) throw new CutOff('The store is out of reach.');
    },
    openRange: async (key, range) => {
      refuse();
      const found = await store.openRange(key, range);
      if (!found || !isLast()) return found;
      const half = async () => (await found.bytes()).subarray(0, Math.floor(found.sizeBytes / 2));
      const stream = () =>
        Readable.from(
          (async function* () {
            yield await half();
            throw new CutOff('The store is out of reach.');
          })(),
        );
      return { ...found, bytes: () => Promise.reject(new CutOff('The store is out of reach.')), stream };
    },
  };
}
