import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '#contract/problem.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import { namesIn } from '../files/names-in.ts';
import { piecesOf } from '../files/s3/pieces-of.ts';
import { ensureSpace } from '../files/stage-file.ts';
import type { FileStore, StoredFile } from '../files/store.ts';
import { isIdIn, toPartKey } from '../files/store-key.ts';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import type { UploadHashes } from './upload-hashes.ts';

interface WholeUpload {
  readonly id: string;
  readonly sizeBytes: number;
}

/** What comes of an upload. */
export interface UploadStretch {
  readonly offset: number;
  readonly from: AsyncIterable<Uint8Array>;
  /** Whether nobody else needs what it comes in: then its memory is given back as soon as it is written. */
  readonly isOurs?: boolean;
}

/** Where the bytes of uploads lie that have not ended. */
export interface UploadBytes {
  /** Whether they take room on the disk of this machine. */
  readonly areOnDisk: boolean;
  /** Makes room for a new one. */
  begin(id: string): Promise<void>;
  /** How many have come, from the first one on without a gap; null where there is no room for it any more. */
  received(id: string): Promise<number | null>;
  /**
   * Writes what comes at `offset`, where what lies there ends, and returns how much lies there then. What came before a connection broke stays, though that throws.
   * When it returns, a power cut takes nothing of it away. Throws a Problem where there is no room for it any more, and StoreAway.
   */
  append(id: string, stretch: UploadStretch): Promise<number>;
  /**
   * Hands over a file of this machine for each, with all that has come, which `work` may move away. On a disk there may be none at a path, where it was moved before.
   * Throws a Problem: `storage_full` where there is no room to put them together, `unavailable` where one is not whole any more.
   */
  withFiles<T>(uploads: readonly WholeUpload[], work: (paths: readonly string[]) => Promise<T>): Promise<T>;
  remove(id: string): Promise<void>;
  /** Whatever lies here, and when something of it last changed. */
  list(): AsyncIterable<{ readonly id: string; readonly changedAtMs: number }>;
}

interface UploadPlace {
  readonly folder: ArchiveFolder;
  readonly store: FileStore;
  /** What stays free on the disk of this machine. */
  readonly reserveBytes?: number | undefined;
  /** Hashes of those on the disk of this machine, as far as they have come. */
  readonly uploadHashes?: UploadHashes | undefined;
}

/**
 * On the disk of a machine that keeps the originals itself. Where they are in a store that other machines read, the uploads lie there as well, in parts:
 * what was begun at one machine goes on at any other.
 */
export function openUploadBytes(place: UploadPlace): UploadBytes {
  return place.store.isShared ? partsInStore(place) : filesOnDisk(place);
}

/** The file of an upload on this machine. */
export function uploadPathIn(folder: ArchiveFolder, id: string): string {
  if (!isIdIn.parts(id)) throw new Error('not an upload');
  return join(folder.uploads, id);
}

function filesOnDisk({ folder, uploadHashes }: UploadPlace): UploadBytes {
  const pathOf = (id: string) => uploadPathIn(folder, id);
  return {
    areOnDisk: true,
    begin: async (id) => {
      await mkdir(folder.uploads, { recursive: true });
      await using created = await open(pathOf(id), 'wx', 0o600);
      await created.sync();
    },
    received: async (id) => (await stat(pathOf(id)).catch(ignoreAbsent))?.size ?? null,
    append: async (id, { offset, from, isOurs = false }) => {
      await using file = await open(pathOf(id), 'r+').catch(ignoreAbsent);
      if (!file) throw goneForWriting();
      const onWritten = (start: number, until: number) => uploadHashes?.read(id, { path: pathOf(id), from: start, until });
      const writer = appendTo(file, { at: offset, onWritten, isOurs });
      let end = offset;
      try {
        for await (const chunk of from) await writer.give(chunk);
      } finally {
        end = await writer.end().finally(() => file.sync());
      }
      return end;
    },
    withFiles: (uploads, work) => work(uploads.map(({ id }) => pathOf(id))),
    remove: (id) => rm(pathOf(id), { force: true }),
    list: () => listFiles(folder),
  };
}

/** What somebody hears who sends on at an upload that has ended, or was cancelled. */
export function goneForWriting(): Problem {
  return new Problem('conflict', 'This file is complete or was cancelled. Ask how much has arrived.');
}

/** So much waits at most while what came before is written. */
const waitingMaxBytes = 1_048_576;
/** Told in pieces, to be read while more is written. */
const toldAtOnceBytes = 1_048_576;
/** After so much of one request the disk is told to keep what it has, while more comes: at its end little is left to wait for. */
const flushedAtOnceBytes = 16_000_000;

/**
 * Writes what is given, in order: a chunk at once where nothing is being written, else with those that came meanwhile. What lies there then is hashed, while more
 * is written.
 */
function appendTo(
  file: FileHandle,
  { at, onWritten, isOurs }: { readonly at: number; readonly onWritten: (from: number, until: number) => void; readonly isOurs: boolean },
) {
  let [end, toldEnd, flushedEnd] = [at, at, at];
  const tell = () => {
    onWritten(toldEnd, end);
    toldEnd = end;
  };
  let [waiting, waitingBytes] = [[] as Uint8Array[], 0];
  let writing: Promise<void> | undefined;
  let flushing: Promise<void> | undefined;
  const write = async () => {
    while (waiting.length > 0) {
      const [chunks, length] = [waiting, waitingBytes];
      [waiting, waitingBytes] = [[], 0];
      await writeWhole(file, { chunks, length, at: end });
      if (isOurs) for (const chunk of chunks) giveBack(chunk);
      end += length;
      if (end - toldEnd >= toldAtOnceBytes) tell();
      if (end - flushedEnd >= flushedAtOnceBytes) await flush();
    }
    // Where a write has failed nothing is written behind it.
    writing = undefined;
  };
  /** One flush at a time; what it fails with is thrown by the next one, or at the end. */
  const flush = async () => {
    await flushing;
    flushedEnd = end;
    flushing = file.datasync();
    flushing.catch(() => {});
  };
  return {
    /** Waits where too much waits already. Throws what a write failed with. */
    give: async (chunk: Uint8Array) => {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (!writing) {
        writing = write();
        writing.catch(() => {});
      }
      if (waitingBytes >= waitingMaxBytes) await writing;
    },
    /** Where the last byte lies, once all are written; to be asked once. */
    end: async () => {
      await writing;
      await flushing;
      tell();
      return end;
    },
  };
}

async function writeWhole(
  file: FileHandle,
  { chunks, length, at }: { readonly chunks: readonly Uint8Array[]; readonly length: number; readonly at: number },
): Promise<void> {
  const { bytesWritten } = await file.writev(chunks, at);
  // A disk that is nearly full takes less than it is given, or fails at the next byte.
  for (let written = bytesWritten; written < length; )
    written += (await file.write(Buffer.concat(chunks), written, length - written, at + written)).bytesWritten;
}

/** Gives the memory of a chunk back at once, where it has one of its own: it would lie there until all of the heap is looked through, each 64 MB anew. */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

async function* listFiles(folder: ArchiveFolder) {
  for (const id of (await namesIn(folder.uploads)).filter(isIdIn.parts)) {
    const found = await stat(join(folder.uploads, id)).catch(ignoreAbsent);
    if (found) yield { id, changedAtMs: found.ctimeMs };
  }
}

/** So much of an upload is in memory at once, and lies in one object at most. */
const partBytes = 8 * 1_048_576;

/**
 * `parts/{upload}/{start}-{end}` in the store, of bytes that are the same whoever put them: two connections of one upload, at two machines, may
 * both write behind the same place, and neither takes anything from the other.
 */
function partsInStore({ folder, store, reserveBytes }: UploadPlace): UploadBytes {
  const partsOf = (id: string) => Array.fromAsync(store.list(`parts/${id}`), toPart);
  const putTogether = async ({ id, sizeBytes }: WholeUpload, path: string) => {
    const parts = chooseGapless(await partsOf(id));
    // Another machine may have finished it since it was looked at.
    if (parts.at(-1)?.end !== sizeBytes) throw makeGoneProblem();
    await ensureSpace([folder.staging], sizeBytes, reserveBytes);
    await pipeline(Readable.from(readParts(store, parts)), createWriteStream(path, { mode: 0o600 }));
  };
  return {
    areOnDisk: false,
    begin: () => Promise.resolve(),
    received: async (id) => chooseGapless(await partsOf(id)).at(-1)?.end ?? 0,
    append: async (id, { offset, from }) => {
      let end = offset;
      for await (const bytes of piecesOf(from, partBytes)) {
        await store.put(toPartKey(id, { start: end, end: end + bytes.length }), bytes);
        end += bytes.length;
      }
      return end;
    },
    withFiles: async (uploads, work) => {
      await mkdir(folder.staging, { recursive: true });
      const files = uploads.map((upload) => ({ upload, path: join(folder.staging, randomUUID()) }));
      try {
        for (const { upload, path } of files) await putTogether(upload, path);
        return await work(files.map(({ path }) => path));
      } finally {
        for (const { path } of files) await rm(path, { force: true });
      }
    },
    remove: async (id) => {
      for (const { key } of await partsOf(id)) await store.discard(key);
      // Begun before a store was configured.
      await rm(uploadPathIn(folder, id), { force: true });
    },
    list: () => listAll(store, folder),
  };
}

interface Part {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

function toPart({ key }: StoredFile): Part {
  const [start = 0, end = 0] = (key.split('/').at(-1) ?? '').split('-').map(Number);
  return { key, start, end };
}

/** Parts that follow each other from the first byte on: each begins where the ones before it end, or before that, and reaches further. */
function chooseGapless(parts: readonly Part[]): Part[] {
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
    if (!stored) throw makeGoneProblem();
    yield await stored.bytes();
    at = end;
  }
}

function makeGoneProblem(): Problem {
  const said = 'This file has just been added or cancelled elsewhere. Ask again for its state.';
  return new Problem('unavailable', said, { retryAfterSeconds: 2 });
}

async function* listAll(store: FileStore, folder: ArchiveFolder) {
  yield* listFiles(folder);
  for await (const { key, modifiedAt } of store.list('parts')) {
    const [, id = ''] = key.split('/');
    if (isIdIn.parts(id)) yield { id, changedAtMs: modifiedAt.getTime() };
  }
}
