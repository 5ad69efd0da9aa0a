import { join } from 'node:path';
import { openLocalStore } from '#domain/files/local-store.ts';
import { openS3Store } from '#domain/files/s3/s3-store.ts';
import type { FileStore } from '#domain/files/store.ts';
import { emptyDisk, openMemoryStore } from './memory-store.ts';
import { newBucket } from './shared-s3-server.ts';
import { startStandInS3 } from './stand-in-s3.ts';

/** A way to open a store, in a folder that goes after each test; what is opened later holds what was put before. Null where it cannot be had. */
export type StoreOpener = (folder: string) => Promise<(() => FileStore) | null>;

/** All that keep the promises of a store; a new one adds its line. */
export const storeOpeners: readonly [name: string, opener: StoreOpener][] = [
  ['a local folder', (folder) => Promise.resolve(() => openLocalStore(join(folder, 'data')))],
  [
    'memory',
    () => {
      const disk = emptyDisk();
      return Promise.resolve(() => openMemoryStore(disk));
    },
  ],
  [
    'a bucket of a stand-in for S3',
    async (folder) => {
      const { settings } = await startStandInS3();
      return () => openS3Store(settings, { folder: join(folder, 'copies') });
    },
  ],
];

/** The same of a real object gateway, which is asked what only it can tell. */
export const realStoreOpener: [name: string, opener: StoreOpener] = [
  'a bucket of a real object gateway',
  async (folder) => {
    const settings = await newBucket();
    return settings && (() => openS3Store(settings, { folder: join(folder, 'copies') }));
  },
];
