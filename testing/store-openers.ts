import { join } from 'node:path';
import { openLocalStore } from '#domain/files/local-store.ts';
import type { FileStore } from '#domain/files/store.ts';
import { emptyDisk, openMemoryStore } from './memory-store.ts';

/** A way to open a store, in a folder that goes after each test; what is opened later holds what was put before. */
export type StoreOpener = (folder: string) => () => FileStore;

/** All that keep the promises of a store; a new one adds its line. */
export const storeOpeners: readonly [name: string, opener: StoreOpener][] = [
  ['a local folder', (folder) => () => openLocalStore(join(folder, 'data'))],
  [
    'memory',
    () => {
      const disk = emptyDisk();
      return () => openMemoryStore(disk);
    },
  ],
];
