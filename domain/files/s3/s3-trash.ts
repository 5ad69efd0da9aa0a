import { writeBehind } from '../../db/write-behind.ts';
import type { Trash, TrashEntry } from '../store.ts';
import { newTrashName, readTrashNote, trashName, writeTrashNote } from '../trash-note.ts';
import { listFolders, listObjects } from './list-objects.ts';
import { copyObject, putBytes } from './put-object.ts';
import { openObject } from './read-object.ts';
import type { S3Client } from './s3-client.ts';

const atOnce = 8;
const contentOf = (name: string) => `trash/${name}/content/`;
const noteOf = (name: string) => `trash/${name}/taken.json`;

/** The trash of a bucket: what was taken lies below `trash/{name}/content/` by its key, beside a note of why. */
export function s3Trash(client: S3Client): Trash & { take(key: string, reason: string): Promise<TrashEntry | null> } {
  const read = async (name: string): Promise<TrashEntry> => {
    const entry = trashName.test(name) ? await readEntry(client, name) : null;
    if (!entry) throw new Error(`The trash holds no ${name}.`);
    return entry;
  };
  return {
    take: async (key, reason) => {
      const names = await namesAt(client, key);
      if (names.length === 0) return null;
      const name = newTrashName(key);
      await copyAll(client, names, (one) => `${contentOf(name)}${one}`);
      // The note is last: from then on what it speaks of is whole here, and goes from where it lay.
      await putBytes(client, noteOf(name), Buffer.from(writeTrashNote({ key, reason })));
      await deleteAll(client, names);
      return await read(name);
    },
    list: async () => {
      const names = (await listFolders(client, 'trash/')).filter((name) => trashName.test(name)).sort();
      const entries = await Promise.all(names.map((name) => readEntry(client, name)));
      return entries.filter((entry) => entry !== null);
    },
    putBack: async (name) => {
      const entry = await read(name);
      if ((await namesAt(client, entry.key)).length > 0) throw new Error(`${entry.key} is there again; nothing was put back.`);
      const from = contentOf(name);
      const names = await namesBelow(client, from);
      await copyAll(client, names, (one) => one.slice(from.length));
      await deleteEntry(client, name);
      return entry;
    },
    purge: async (name) => {
      await read(name);
      await deleteEntry(client, name);
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

/** Objects of this name, and below it. */
async function namesAt(client: S3Client, key: string): Promise<string[]> {
  const names = await namesBelow(client, key);
  return names.filter((name) => name === key || name.startsWith(`${key}/`));
}

async function namesBelow(client: S3Client, prefix: string): Promise<string[]> {
  return (await Array.fromAsync(listObjects(client, prefix))).map(({ name }) => name);
}

async function copyAll(client: S3Client, names: readonly string[], target: (name: string) => string): Promise<void> {
  const copying = writeBehind({ atOnce });
  for (const name of names) await copying.begin(() => copyObject(client, name, target(name)));
  await copying.end();
}

/** Deletes objects; those that are gone already are no fault. Throws StoreAway. */
export async function deleteAll(client: S3Client, names: readonly string[]): Promise<void> {
  const deleting = writeBehind({ atOnce });
  for (const name of names) await deleting.begin(async () => void (await client.find((s3) => s3.deleteObject(name))));
  await deleting.end();
}

/** The content first: a note without it says that there is nothing. */
async function deleteEntry(client: S3Client, name: string): Promise<void> {
  await deleteAll(client, await namesBelow(client, contentOf(name)));
  await deleteAll(client, [noteOf(name)]);
}
