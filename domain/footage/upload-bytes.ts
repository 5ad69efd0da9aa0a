import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '#contract/problem.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import { namesIn } from '../files/names-in.ts';
import { nullWhenAbsent } from '../files/null-when-absent.ts';
import { ensureSpace } from '../files/stage-file.ts';
import type { FileStore, StoredFile } from '../files/store.ts';
import { isIdIn, partKey } from '../files/store-key.ts';

/** Where the bytes of uploads lie that have not ended. */
export interface UploadBytes {
  /** Whether they take room on the disk of this machine. */
  readonly areOnDisk: boolean;
  /** Makes room for a new one. */
  begin(id: string): Promise<void>;
  /** How many have come; null where nothing lies of it. */
  received(id: string): Promise<number | null>;
  /**
   * Writes what comes at `offset`, where what lies there ends, and returns how much lies there then. What came before a connection broke stays, though that throws.
   * When it returns, a power cut takes nothing of it away. Throws a Problem for one of which nothing lies here, and StoreAway.
   */
  append(id: string, stretch: { readonly offset: number; readonly from: AsyncIterable<Uint8Array> }): Promise<number>;
  /** A file of this machine with all of an upload, until `remove`. Throws a Problem where that cannot be had, `storage_full` where there is no room for it. */
  asFile(upload: { readonly id: string; readonly sizeBytes: number }): Promise<string>;
  remove(id: string): Promise<void>;
  /** Whatever lies here, and when something of it last changed. */
  list(): AsyncIterable<{ readonly id: string; readonly changedAtMs: number }>;
}

/**
 * On the disk of a machine that keeps the originals itself. Where they are in a store that other machines read, the uploads lie there as well, in parts:
 * what was begun at one machine goes on at any other.
 */
export function uploadBytes({ folder, store }: { readonly folder: ArchiveFolder; readonly store: FileStore }): UploadBytes {
  return store.indexFolder === null ? partsInStore(store, folder) : filesOnDisk(folder);
}

/** The file of an upload on this machine. */
export function uploadPath(folder: ArchiveFolder, id: string): string {
  if (!isIdIn.parts(id)) throw new Error('not an upload');
  return join(folder.uploads, id);
}

function filesOnDisk(folder: ArchiveFolder): UploadBytes {
  const pathOf = (id: string) => uploadPath(folder, id);
  return {
    areOnDisk: true,
    begin: async (id) => {
      await mkdir(folder.uploads, { recursive: true });
      await using created = await open(pathOf(id), 'wx', 0o600);
      await created.sync();
    },
    received: async (id) => (await stat(pathOf(id)).catch(nullWhenAbsent))?.size ?? null,
    append: async (id, { offset, from }) => {
      await using file = await open(pathOf(id), 'r+').catch(nullWhenAbsent);
      if (!file) throw new Problem('conflict', 'All of this file has come, or it was cancelled. Ask how much has come.');
      const writer = appendTo(file, offset);
      try {
        for await (const chunk of from) await writer.give(chunk);
      } finally {
        await writer.end().finally(() => file.sync());
      }
      return await writer.end();
    },
    asFile: ({ id }) => Promise.resolve(pathOf(id)),
    remove: (id) => rm(pathOf(id), { force: true }),
    list: () => listFiles(folder),
  };
}

/** Chunks as they come, so many bytes or a few more at a time; where they break off, what came before is handed over first, and then the error. */
async function* gather(from: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array[]> {
  let gathered: Uint8Array[] = [];
  let broken: { readonly error: unknown } | undefined;
  let size = 0;
  try {
    for await (const chunk of from) {
      gathered.push(chunk);
      size += chunk.length;
      if (size < length) continue;
      yield gathered;
      [gathered, size] = [[], 0];
    }
  } catch (error) {
    broken = { error };
  }
  if (gathered.length > 0) yield gathered;
  if (broken) throw broken.error;
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** So much waits at most while what came before is written. */
const waitingMaxBytes = 1_048_576;

/** Writes what is given, in order: a chunk at once where nothing is being written, else with those that came meanwhile. */
function appendTo(file: FileHandle, at: number) {
  let end = at;
  let waiting: Uint8Array[] = [];
  let writing: Promise<void> | undefined;
  const write = async () => {
    while (waiting.length > 0) {
      const chunks = waiting;
      waiting = [];
      await writeAll(file, chunks, end);
      end += lengthOf(chunks);
    }
    // Where a write has failed nothing is written behind it.
    writing = undefined;
  };
  return {
    /** Waits where too much waits already. Throws what a write failed with. */
    give: async (chunk: Uint8Array) => {
      waiting.push(chunk);
      if (!writing) {
        writing = write();
        writing.catch(() => {});
      }
      if (lengthOf(waiting) >= waitingMaxBytes) await writing;
    },
    /** Where the last byte lies, once all are written. */
    end: async () => {
      await writing;
      return end;
    },
  };
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], at: number): Promise<void> {
  const { bytesWritten } = await file.writev(chunks, at);
  // A disk that is nearly full takes less than it is given, or fails at the next byte.
  if (bytesWritten < lengthOf(chunks)) {
    const rest = Buffer.concat(chunks).subarray(bytesWritten);
    await writeAll(file, [rest], at + bytesWritten);
  }
}

async function* listFiles(folder: ArchiveFolder) {
  for (const id of (await namesIn(folder.uploads)).filter(isIdIn.parts)) {
    const found = await stat(join(folder.uploads, id)).catch(nullWhenAbsent);
    if (found) yield { id, changedAtMs: found.ctimeMs };
  }
}

/** So much of an upload is in memory at once, and lies in one object, or a little more. */
const partBytes = 8 * 1_048_576;

/**
 * `parts/{upload}/{start}-{end}` in the store, of bytes that are the same whoever put them: two connections of one upload, at two machines, may
 * both write behind the same place, and neither takes anything from the other.
 */
function partsInStore(store: FileStore, folder: ArchiveFolder): UploadBytes {
  const partsOf = (id: string) => Array.fromAsync(store.list(`parts/${id}`), asPart);
  return {
    areOnDisk: false,
    begin: () => Promise.resolve(),
    received: async (id) => gapless(await partsOf(id)).at(-1)?.end ?? 0,
    append: async (id, { offset, from }) => {
      let end = offset;
      for await (const chunks of gather(from, partBytes)) {
        const bytes = Buffer.concat(chunks);
        await store.put(partKey(id, { start: end, end: end + bytes.length }), bytes);
        end += bytes.length;
      }
      return end;
    },
    asFile: async ({ id, sizeBytes }) => {
      const path = uploadPath(folder, id);
      await mkdir(folder.uploads, { recursive: true });
      await mkdir(folder.stage, { recursive: true });
      const draft = join(folder.stage, randomUUID());
      const parts = gapless(await partsOf(id));
      // Another machine may have finished it since it was looked at.
      if (parts.at(-1)?.end !== sizeBytes) throw gone();
      await ensureSpace(folder.stage, sizeBytes);
      await pipeline(Readable.from(readParts(store, parts)), createWriteStream(draft, { mode: 0o600 }));
      await rename(draft, path);
      return path;
    },
    remove: async (id) => {
      for (const { key } of await partsOf(id)) await store.discard(key);
      await rm(uploadPath(folder, id), { force: true });
    },
    list: () => listAll(store, folder),
  };
}

interface Part {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

function asPart({ key }: StoredFile): Part {
  const [start = 0, end = 0] = (key.split('/').at(-1) ?? '').split('-').map(Number);
  return { key, start, end };
}

/** Parts that follow each other from the first byte on: each begins where the ones before it end, or before that, and reaches further. */
function gapless(parts: readonly Part[]): Part[] {
  const chosen: Part[] = [];
  let end = 0;
  for (const part of parts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (part.start > end) break;
    if (part.end <= end) continue;
    chosen.push(part);
    end = part.end;
  }
  return chosen;
}

async function* readParts(store: FileStore, parts: readonly Part[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const { key, start, end } of parts) {
    const stored = await store.openRange(key, { start: at - start, end: end - start });
    if (!stored) throw gone();
    yield await stored.bytes();
    at = end;
  }
}

function gone(): Problem {
  return new Problem(
    'conflict',
    'What had come of this file is not here any more. Ask what has become of it, and send it again if nothing has.',
  );
}

async function* listAll(store: FileStore, folder: ArchiveFolder) {
  yield* listFiles(folder);
  for await (const { key, modifiedAt } of store.list('parts')) yield { id: key.split('/')[1] ?? '', changedAtMs: modifiedAt.getTime() };
}
