import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeBehind } from '../../db/write-behind.ts';
import type { FileStore, StoredFile, Trash, TrashEntry } from '../store.ts';
import { NotInStore } from '../store-away.ts';
import { checkDiscardable, checkMedia, checkPrefix, isKeyPart, partsOfKey } from '../store-key.ts';
import { isNameOf, isSettled, makeTrashName, readEntries, readTrashNote, trashName, writeTrashNote } from '../trash-note.ts';
import { isVideoId } from '../video-keys.ts';
import { type LocalCopies, type LocalCopiesOptions, openLocalCopies } from './local-copies.ts';
import { copyObject, putBytes, putFile } from './put-object.ts';
import { findObject, listFolders, listObjects, openObject } from './read-object.ts';
import { openS3Client, type S3Client, type S3Patience } from './s3-client.ts';
import type { S3Settings } from './s3-settings.ts';

const putsAtOnce = 6;

/**
 * The store in a bucket of an S3-compatible server: an object has the name of its key, `media/0123456789/original` and so on. Every call
 * is repeated while that may help, and throws StoreAway then. An object is whole from the moment that it can be read.
 */
export function openS3Store(settings: S3Settings, copiesIn: LocalCopiesOptions, patience?: S3Patience): FileStore {
  const client = openS3Client(settings, patience);
  const copies = openLocalCopies(copiesIn);
  const trash = openS3Trash(client);
  return {
    put: async (key, from) => {
      partsOfKey(key);
      if (from instanceof Uint8Array) return await putBytes(client, key, from);
      if ('copyOf' in from) return await putFile(client, key, from.copyOf);
      await putFile(client, key, from.path);
      await rm(from.path);
    },
    putFolder: async (key, from) => {
      checkMedia(key);
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
      checkPrefix(prefix);
      return listFiles(client, prefix);
    },
    listVideos: async () => (await listFolders(client, 'media/')).filter(isVideoId),
    remove: async (key, reason) => {
      checkMedia(key);
      return await trash.take(key, reason, 'goes');
    },
    erase: async (key) => {
      checkMedia(key);
      await deleteAll(client, await namesAt(client, key));
    },
    copyToTrash: async (key, reason) => {
      checkMedia(key);
      return await trash.take(key, reason, 'stays');
    },
    withLocalCopy: async (key, work) => {
      partsOfKey(key);
      return await withLocalCopy({ client, copies }, key, work);
    },
    discard: async (key) => {
      checkDiscardable(key);
      await deleteAll(client, [key]);
    },
    isShared: true,
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

const atOnce = 8;
const contentOf = (name: string) => `trash/${name}/content/`;
const noteOf = (name: string) => `trash/${name}/taken.json`;
const begunOf = (name: string) => `trash/${name}/goes-back.json`;

/** The trash of a bucket: what was taken lies below `trash/{name}/content/` by its key, beside a note of why. */
function openS3Trash(client: S3Client): Trash & { take(key: string, reason: string, then: 'goes' | 'stays'): Promise<TrashEntry | null> } {
  const read = async (name: string): Promise<TrashEntry> => {
    const entry = trashName.test(name) ? await readEntry(client, name) : null;
    if (!entry) throw new Error(`There is no ${name} in the trash.`);
    return entry;
  };
  const allNames = async () => (await listFolders(client, 'trash/')).filter((name) => trashName.test(name)).sort();
  /** Those that need not be looked at again. */
  const whole = new Set<string>();
  return {
    take: async (key, reason, then) => {
      const names = await namesAt(client, key);
      if (names.length === 0) return null;
      const name = makeTrashName(key);
      await copyAll(client, names, (one) => `${contentOf(name)}${one}`);
      // The note is last: from then on what it speaks of is whole here, and goes from where it lay.
      await putBytes(client, noteOf(name), Buffer.from(writeTrashNote({ key, reason })));
      if (then === 'goes') await deleteAll(client, names);
      return await read(name);
    },
    list: async (videoId) => await readEntries(await allNames(), { videoId, read: (name) => readEntry(client, name) }),
    putBack: async (name, { isOver } = { isOver: false }) => {
      const entry = await read(name);
      const names = await (isOver ? namesBelow(client, contentOf(name)) : namesToPutBack(client, entry));
      // From here on the same call goes on where this one is cut off.
      await putBytes(client, begunOf(name), Buffer.from('{}'));
      await copyAll(client, names, (one) => one.slice(contentOf(name).length));
      await deleteEntry(client, name);
      return entry;
    },
    purge: async (name) => {
      await read(name);
      await deleteEntry(client, name);
    },
    purgeOf: async (videoId) => {
      for (const name of (await allNames()).filter((one) => isNameOf(one, videoId))) await deleteEntry(client, name);
    },
    sweep: async (now = Date.now()) => {
      for (const name of (await allNames()).filter((one) => isSettled(one, now) && !whole.has(one))) {
        if (await findObject(client, noteOf(name))) whole.add(name);
        else await deleteEntry(client, name);
      }
    },
  };
}

/** Null for what was cut off before it was whole here: it still lies where it was. */
async function readEntry(client: S3Client, name: string): Promise<TrashEntry | null> {
  const text = await (await openObject(client, noteOf(name)))?.bytes();
  const note = readTrashNote(String(text ?? ''));
  if (!note) return null;
  let sizeBytes = 0;
  for await (const object of listObjects(client, contentOf(name))) sizeBytes += object.sizeBytes;
  return { name, ...note, sizeBytes };
}

/** What of an entry does not lie where it lay. Throws where something else does; what a call that was cut off has put back is not something else. */
async function namesToPutBack(client: S3Client, { name, key }: TrashEntry): Promise<string[]> {
  const place = (taken: string) => taken.slice(contentOf(name).length);
  const taken = new Map((await objectsBelow(client, contentOf(name))).map((object) => [place(object.name), object]));
  const there = new Map(
    (await objectsBelow(client, key)).filter((object) => isAt(key, object.name)).map((object) => [object.name, object]),
  );
  const isSame = (lay: string) => taken.get(lay)?.sizeBytes === there.get(lay)?.sizeBytes;
  // Cut off while the entry was deleted, more lies there than is left of it.
  const isBegun = async () =>
    (await findObject(client, begunOf(name))) && ([...there.keys()].every(isSame) || [...taken.keys()].every(isSame));
  if (there.size > 0 && !(await isBegun())) throw new Error(`${key} is there again; nothing was put back.`);
  return [...taken].flatMap(([lay, object]) => (there.has(lay) ? [] : object.name));
}

/** Objects of this name, and below it. */
async function namesAt(client: S3Client, key: string): Promise<string[]> {
  return (await namesBelow(client, key)).filter((name) => isAt(key, name));
}

function isAt(key: string, name: string): boolean {
  return name === key || name.startsWith(`${key}/`);
}

async function namesBelow(client: S3Client, prefix: string): Promise<string[]> {
  return (await objectsBelow(client, prefix)).map(({ name }) => name);
}

function objectsBelow(client: S3Client, prefix: string) {
  return Array.fromAsync(listObjects(client, prefix));
}

async function copyAll(client: S3Client, names: readonly string[], target: (name: string) => string): Promise<void> {
  const copying = writeBehind({ atOnce });
  for (const name of names) await copying.begin(() => copyObject(client, name, target(name)));
  await copying.end();
}

/** Deletes objects; those that are gone already are no fault. Throws StoreAway. */
async function deleteAll(client: S3Client, names: readonly string[]): Promise<void> {
  const deleting = writeBehind({ atOnce });
  for (const name of names) await deleting.begin(async () => void (await client.find((s3) => s3.deleteObject(name))));
  await deleting.end();
}

/** The content first: a note without it says that there is nothing. */
async function deleteEntry(client: S3Client, name: string): Promise<void> {
  await deleteAll(client, await namesBelow(client, contentOf(name)));
  for (const one of [noteOf(name), begunOf(name)]) await deleteAll(client, [one]);
}
