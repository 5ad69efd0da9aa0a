import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { putBytes, putFile } from '../files/s3/put-object.ts';
import { findObject, listObjects, openObject } from '../files/s3/read-object.ts';
import { openS3Client, type S3Client, type S3Patience } from '../files/s3/s3-client.ts';
import type { S3Settings } from '../files/s3/s3-settings.ts';
import { StoreAway } from '../files/store-away.ts';
import { writeDurably } from '../system/durable-file.ts';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import { syncToDisk } from '../system/sync-to-disk.ts';
import { ensureRoom } from './backup-space.ts';
import { type Content, type ContentList, makeContentSet, writeContentList } from './content-set.ts';

/**
 * Where things lie in a folder of backups, or below a prefix of a bucket. Contents are kept once, named by their SHA-256; a snapshot is one
 * file that names the contents it is made of, so that it is there as a whole or not at all.
 */
export interface BackupFolder {
  /** Its path, or `s3://bucket/prefix`. */
  readonly root: string;
  /** Says that this folder holds backups, and of which archive. */
  readonly label: string;
  readonly snapshots: string;
  readonly contents: string;
  /** Tells who was forgotten. */
  readonly erasures: string;
  /** On this machine: what a backup under way has begun; what a killed one left there is taken up by the next. */
  readonly incoming: string;
  content(sha256: string): string;
  snapshot(name: string): string;
  readonly files: PlacedFiles;
}

/** The files of a folder of backups, by the names that it gives them. */
interface PlacedFiles {
  /** Null where there is none. */
  read(name: string): Promise<AsyncIterable<Buffer> | null>;
  /** Whether a content of this name and size is there. */
  holds(name: string, sizeBytes: number): Promise<boolean>;
  /** Moves a file of this machine there: whole from the moment that it can be read, and safe when this returns. */
  take(name: string, path: string): Promise<void>;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** The names of all that lies below one. */
  list(below: string): AsyncIterable<string>;
  /** Throws a sentence when files of these sizes do not fit, which come `filesAtOnce` at a time. */
  ensureRoom(sizes: readonly number[]): Promise<void>;
  /** Gives back what was opened to answer `holds`. */
  close(): Promise<void>;
}

/** Names of contents are their hashes. */
export const contentName = /^[0-9a-f]{64}$/;

/** Names of snapshots sort by time. */
export const snapshotName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** The places of a folder of backups. `content` and `snapshot` throw for what is no name of ours. */
export function toBackupFolder(path: string): BackupFolder {
  const root = resolve(path);
  return { ...namesBelow(root), incoming: `${root}/incoming`, files: filesOfFolder(root) };
}

/** A place in a bucket. */
export interface BucketPlace {
  readonly s3: S3Settings;
  /** Without slashes around it; empty for the whole bucket. */
  readonly prefix: string;
  /** A folder of this machine for what is on its way. */
  readonly incoming: string;
  readonly patience?: S3Patience;
  /** How many contents of those that this run sends are remembered; as many as fit well when undefined. */
  readonly sentAtOnce?: number;
}

/** The same below a prefix of a bucket. */
export function toBucketFolder(place: BucketPlace): BackupFolder {
  const { s3, prefix, incoming } = place;
  const names = namesBelow(`s3://${s3.bucket}${prefix && `/${prefix}`}`);
  return { ...names, incoming, files: filesOfBucket(place, names) };
}

function namesBelow(root: string): Omit<BackupFolder, 'incoming' | 'files'> {
  return {
    root,
    label: `${root}/rushes-backup.json`,
    snapshots: `${root}/snapshots`,
    contents: `${root}/files`,
    erasures: `${root}/erasures.json`,
    content: (sha256) => {
      if (!contentName.test(sha256)) throw new Error('not a SHA-256');
      return `${root}/files/${sha256.slice(0, 2)}/${sha256}`;
    },
    snapshot: (name) => {
      if (!snapshotName.test(name)) throw new Error(`"${name}" is not a snapshot name; they look like 2026-03-04T05-06-07.089Z`);
      return `${root}/snapshots/${name}.json`;
    },
  };
}

function filesOfFolder(root: string): PlacedFiles {
  async function* list(below: string): AsyncGenerator<string> {
    for (const entry of await readdir(below, { withFileTypes: true })) {
      if (entry.isDirectory()) yield* list(`${below}/${entry.name}`);
      else yield `${below}/${entry.name}`;
    }
  }
  return {
    read: async (path) => ((await stat(path).catch(ignoreAbsent)) ? readFileInChunks(path) : null),
    holds: async (path, sizeBytes) => (await stat(path).catch(() => null))?.size === sizeBytes,
    take: async (path, from) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(from, path);
      await syncToDisk(dirname(path));
      await syncToDisk(dirname(dirname(path)));
    },
    write: writeDurably,
    remove: (path) => rm(path),
    list,
    ensureRoom: (sizes) => ensureRoom(root, sumOf(sizes)),
    close: () => Promise.resolve(),
  };
}

/** So many files of an archive are read and kept at once. */
export const filesAtOnce = 4;

const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);

function filesOfBucket(place: BucketPlace, { root, contents }: Pick<BackupFolder, 'root' | 'contents'>): PlacedFiles {
  const { s3, incoming, patience } = place;
  const client = openS3Client(s3, patience);
  const keyOf = (name: string) => name.slice(`s3://${s3.bucket}/`.length);
  const held = trackContents(place, client, `${keyOf(contents)}/`);
  return {
    read: (name) =>
      withStoreNamed(root, async () => {
        const object = await openObject(client, keyOf(name));
        return object && readReaching(root, object.stream());
      }),
    holds: (name, sizeBytes) => withStoreNamed(root, () => held.has({ sha256: basename(name), sizeBytes })),
    take: (name, path) =>
      withStoreNamed(root, async () => {
        const { size } = await stat(path);
        await putFile(client, keyOf(name), path);
        await rm(path);
        held.add({ sha256: basename(name), sizeBytes: size });
      }),
    write: (name, text) => withStoreNamed(root, () => putBytes(client, keyOf(name), Buffer.from(text))),
    remove: (name) => withStoreNamed(root, async () => void (await client.find((bucket) => bucket.deleteObject(keyOf(name))))),
    list: async function* (below) {
      const prefix = `${keyOf(below)}/`.replace(/^\/$/, '');
      for await (const { name } of readReaching(root, listObjects(client, prefix))) yield `s3://${s3.bucket}/${name}`;
    },
    // What is sent lies on this machine first.
    ensureRoom: (sizes) => ensureRoom(incoming, sumOf(sizes.toSorted((a, b) => b - a).slice(0, filesAtOnce))),
    close: held.close,
  };
}

/** What the bucket held when it was listed, in a file of this machine, and what was sent since: to ask for each would be a million requests. */
function trackContents({ incoming, sentAtOnce = 2 ** 22 }: BucketPlace, client: S3Client, prefix: string) {
  let listed: Promise<ContentList> | undefined;
  let sent = { contents: makeContentSet(), count: 0, isComplete: true };
  const listContents = async function* (): AsyncGenerator<Content> {
    for await (const { name, sizeBytes } of listObjects(client, prefix))
      if (contentName.test(basename(name))) yield { sha256: basename(name), sizeBytes };
  };
  return {
    has: async (content: Content) => {
      listed ??= writeContentList(`${incoming}/held-${randomUUID()}`, listContents());
      const { sha256, sizeBytes } = content;
      if (sent.contents.has(sha256, sizeBytes) || (await (await listed).has(content))) return true;
      // It may have been sent before those that are remembered.
      return !sent.isComplete && (await findObject(client, `${prefix}${sha256.slice(0, 2)}/${sha256}`))?.sizeBytes === sizeBytes;
    },
    add: ({ sha256, sizeBytes }: Content) => {
      if (sent.count >= sentAtOnce) sent = { contents: makeContentSet(), count: 0, isComplete: false };
      if (sent.contents.add(sha256, sizeBytes)) sent.count += 1;
    },
    close: async () => {
      await (await listed?.catch(() => undefined))?.close();
    },
  };
}

/** Says of whose store it is that it is out of reach: the archive may have another. */
async function withStoreNamed<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreAway ? new Error(error.message.replace(/^The media store/, root), { cause: error }) : error;
  }
}

async function* readReaching<T>(root: string, from: AsyncIterable<T>): AsyncGenerator<T> {
  const each = from[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withStoreNamed(root, () => each.next());
      if (done) return;
      yield value;
    }
  } finally {
    await each.return?.();
  }
}

const chunkBytes = 1024 * 1024;

/** A file's bytes in pieces. */
export async function* readFileInChunks(path: string): AsyncGenerator<Buffer, void> {
  await using file = await open(path, 'r');
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A small file of a folder of backups as text; null where there is none. */
export async function readText({ files }: Pick<BackupFolder, 'files'>, name: string): Promise<string | null> {
  const bytes = await files.read(name);
  return bytes && Buffer.concat(await Array.fromAsync(bytes)).toString('utf8');
}
