import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeBehind } from '../../db/write-behind.ts';
import type { FileStore, StoredFile } from '../store.ts';
import { NotInStore } from '../store-away.ts';
import { checkArea, isKeyPart, partsOfKey } from '../store-key.ts';
import { isVideoId } from '../video-keys.ts';
import { listFolders, listObjects } from './list-objects.ts';
import { type LocalCopies, type LocalCopiesOptions, openLocalCopies } from './local-copies.ts';
import { putBytes, putFile } from './put-object.ts';
import { findObject, openObject } from './read-object.ts';
import { openS3Client, type S3Client, type S3Patience } from './s3-client.ts';
import type { S3Settings } from './s3-settings.ts';
import { deleteAll, s3Trash } from './s3-trash.ts';

const putsAtOnce = 6;

/**
 * The store in a bucket of an S3-compatible server: an object has the name of its key, `media/0123456789/original` and so on. Every call
 * is repeated while that may help, and throws StoreAway then. An object is whole from the moment that it can be read.
 */
export function openS3Store(settings: S3Settings, copiesIn: LocalCopiesOptions, patience?: S3Patience): FileStore {
  const client = openS3Client(settings, patience);
  const copies = openLocalCopies(copiesIn);
  const trash = s3Trash(client);
  return {
    put: async (key, from) => {
      partsOfKey(key);
      if (from instanceof Uint8Array) return await putBytes(client, key, from);
      if ('copyOf' in from) return await putFile(client, key, from.copyOf);
      await putFile(client, key, from.path);
      await rm(from.path);
    },
    putFolder: async (key, from) => {
      checkArea(key, 'media');
      await putFolder(client, key, from.path);
    },
    openRange: async (key, range) => {
      partsOfKey(key);
      return await openObject(client, key, range);
    },
    stat: async (key) => {
      partsOfKey(key);
      const found = await findObject(client, key);
      return found && { key, sizeBytes: found.sizeBytes, modifiedAt: found.modifiedAt };
    },
    list: (prefix) => {
      if (!['media', 'index'].includes(prefix)) partsOfKey(prefix);
      return listFiles(client, prefix);
    },
    listVideos: async () => (await listFolders(client, 'media/')).filter(isVideoId),
    remove: async (key, reason) => {
      checkArea(key, 'media');
      return await trash.take(key, reason);
    },
    withLocalCopy: async (key, work) => {
      partsOfKey(key);
      return await withLocalCopy({ client, copies }, key, work);
    },
    discard: async (key) => {
      checkArea(key, 'index');
      await deleteAll(client, [key]);
    },
    indexFolder: null,
    trash,
  };
}

/** What is new first, what was there before and is not any more last: whoever reads meanwhile finds one or the other. */
async function putFolder(client: S3Client, key: string, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const objects = paths.map((path) => ({ path, name: `${key}/${path.slice(folder.length + 1)}` }));
  for (const { name } of objects) partsOfKey(name);
  const putting = writeBehind({ atOnce: putsAtOnce });
  for (const { path, name } of objects) await putting.begin(() => putFile(client, name, path));
  await putting.end();
  const kept = new Set(objects.map(({ name }) => name));
  const before = await Array.fromAsync(listObjects(client, `${key}/`));
  await deleteAll(
    client,
    before.map(({ name }) => name).filter((name) => !kept.has(name)),
  );
  await rm(folder, { recursive: true });
}

async function* listFiles(client: S3Client, prefix: string): AsyncGenerator<StoredFile> {
  for await (const { name, ...rest } of listObjects(client, `${prefix}/`))
    if (name.split('/').every(isKeyPart)) yield { key: name, ...rest };
}

async function withLocalCopy<T>(
  { client, copies }: { client: S3Client; copies: LocalCopies },
  key: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const found = await findObject(client, key);
  if (!found) throw new NotInStore(key);
  return await copies.use({ key, ...found, open: () => openObject(client, key) }, work);
}
