import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ByteRange, FileStore, StoredFile, TrashEntry } from '#domain/files/store.ts';
import { NotInStore } from '#domain/files/store-away.ts';
import { checkDiscardable, checkMedia, checkPrefix, isKeyPart, partsOfKey } from '#domain/files/store-key.ts';
import { isNameOf, makeTrashName } from '#domain/files/trash-note.ts';

interface MemoryFile {
  readonly bytes: Buffer;
  readonly modifiedAt: Date;
}

/** What a store in memory holds; every store that is opened on the same one holds the same. */
export interface MemoryDisk {
  readonly files: Map<string, MemoryFile>;
  readonly trash: Map<string, { readonly entry: TrashEntry; readonly files: ReadonlyMap<string, MemoryFile> }>;
}

export const emptyDisk = (): MemoryDisk => ({ files: new Map(), trash: new Map() });

/** A store without any folder: what works with it works with keys alone. It lives as long as its disk. */
export function openMemoryStore({ files, trash }: MemoryDisk = emptyDisk()): FileStore {
  const keep = (key: string, bytes: Uint8Array) => files.set(key, { bytes: Buffer.from(bytes), modifiedAt: new Date() });
  const at = (key: string) => new Map([...files].filter(([name]) => isAtOrBelow(name, key)));
  const take = (key: string) => {
    const taken = at(key);
    for (const name of taken.keys()) files.delete(name);
    return taken;
  };
  return {
    put: async (key, from) => {
      partsOfKey(key);
      if (from instanceof Uint8Array) return void keep(key, from);
      const path = 'copyOf' in from ? from.copyOf : from.path;
      keep(key, await readFile(path));
      if ('path' in from) await rm(path);
    },
    putFolder: async (key, from) => {
      checkMedia(key);
      const found = await filesBelow(from.path);
      take(key);
      for (const [name, bytes] of found) keep(`${key}/${name}`, bytes);
      await rm(from.path, { recursive: true });
    },
    openRange: answerLater((key: string, range?: ByteRange) => {
      const { bytes, modifiedAt } = files.get(checked(key)) ?? {};
      if (!bytes || !modifiedAt) return null;
      const stretch = bytes.subarray(range?.start ?? 0, Math.max(range?.start ?? 0, range?.end ?? bytes.length));
      return {
        sizeBytes: bytes.length,
        modifiedAt,
        bytes: answerLater(() => Buffer.from(stretch)),
        stream: () => Readable.from([stretch]),
      };
    }),
    stat: answerLater((key: string) => {
      const file = files.get(checked(key));
      return file ? storedFile(key, file) : null;
    }),
    list: (prefix) => {
      checkPrefix(prefix);
      return listed([...files].filter(([key]) => key.startsWith(`${prefix}/`)));
    },
    listVideos: answerLater(() => [...new Set([...files.keys()].map(partsOfKey).flatMap(({ area, id }) => (area === 'media' ? id : [])))]),
    remove: answerLater((key: string, reason: string) => {
      checkMedia(key);
      return layIn(trash, { key, reason, taken: take(key) });
    }),
    erase: answerLater((key: string) => {
      checkMedia(key);
      take(key);
    }),
    copyToTrash: answerLater((key: string, reason: string) => {
      checkMedia(key);
      return layIn(trash, { key, reason, taken: at(key) });
    }),
    withLocalCopy: async (key, work) => {
      const file = files.get(checked(key));
      if (!file) throw new NotInStore(key);
      const folder = await mkdtemp(join(tmpdir(), 'rushes-memory-'));
      try {
        await writeFile(join(folder, 'copy'), file.bytes);
        return await work(join(folder, 'copy'));
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    discard: answerLater((key: string) => {
      checkDiscardable(key);
      files.delete(key);
    }),
    isShared: true,
    indexFolder: null,
    trash: openTrash({ files, trash }),
  };
}

function openTrash({ files, trash }: MemoryDisk): FileStore['trash'] {
  return {
    list: answerLater((videoId?: string) =>
      [...trash.values()]
        .map(({ entry }) => entry)
        .filter(({ name }) => videoId === undefined || isNameOf(name, videoId))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    ),
    putBack: answerLater((name: string, { isOver } = { isOver: false }) => {
      const taken = takenAs(trash, name);
      const { key } = taken.entry;
      if (!isOver && [...files.keys()].some((there) => isAtOrBelow(there, key)))
        throw new Error(`${key} is there again; nothing was put back.`);
      for (const [lay, file] of taken.files) files.set(lay, file);
      trash.delete(name);
      return taken.entry;
    }),
    purge: answerLater((name: string) => void trash.delete(takenAs(trash, name).entry.name)),
    purgeOf: answerLater((videoId: string) => {
      for (const name of trash.keys()) if (isNameOf(name, videoId)) trash.delete(name);
    }),
    // Nothing is ever cut off in here.
    sweep: () => Promise.resolve(),
  };
}

/** As a store answers that has to ask a disk: later, and by a promise that fails. */
function answerLater<Args extends readonly unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Promise<Result> {
  return (...args) => Promise.resolve().then(() => work(...args));
}

function checked(key: string): string {
  partsOfKey(key);
  return key;
}

const isAtOrBelow = (name: string, key: string) => name === key || name.startsWith(`${key}/`);

const storedFile = (key: string, { bytes, modifiedAt }: MemoryFile): StoredFile => ({ key, sizeBytes: bytes.length, modifiedAt });

async function* listed(found: readonly [string, MemoryFile][]): AsyncGenerator<StoredFile> {
  for (const [key, file] of found) yield await Promise.resolve(storedFile(key, file));
}

interface Taken {
  readonly key: string;
  readonly reason: string;
  readonly taken: ReadonlyMap<string, MemoryFile>;
}

function layIn(trash: MemoryDisk['trash'], { key, reason, taken }: Taken): TrashEntry | null {
  if (taken.size === 0) return null;
  const sizeBytes = [...taken.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
  const entry = { name: makeTrashName(key), key, reason, at: new Date(), sizeBytes };
  trash.set(entry.name, { entry, files: taken });
  return entry;
}

function takenAs(trash: MemoryDisk['trash'], name: string) {
  const taken = trash.get(name);
  if (!taken) throw new Error(`There is no ${name} in the trash.`);
  return taken;
}

async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && isKeyPart(entry.name)) found.set(path.slice(folder.length + 1), await readFile(path));
  }
  return found;
}
