import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, cp, link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { errorCodeOf } from '../system/error-code.ts';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import { syncFoldersUpTo, syncToDisk, syncTree } from '../system/sync-to-disk.ts';
import { archiveFolderIn } from './archive-folder.ts';
import { namesIn } from './names-in.ts';
import { ensureSpace } from './stage-file.ts';
import type { ByteRange, FileStore, StoredFile, StoredRange, Trash, TrashEntry } from './store.ts';
import { NotInStore } from './store-away.ts';
import { checkDiscardable, checkMedia, isIdIn, isKeyPart, partsOfKey } from './store-key.ts';
import { isNameOf, isSettled, makeTrashName, readEntries, readTrashNote, trashName, writeTrashNote } from './trash-note.ts';
import { videoIdOfKey } from './video-keys.ts';

/** The store in a folder of this machine, the data folder of an archive: `media/01/0123456789/original` and so on. */
export function openLocalStore(root: string): FileStore {
  const pathOf = (key: string) => pathBelow(root, key);
  const indexFolder = archiveFolderIn(root).index;
  const trash = openLocalTrash(root, pathOf);
  return {
    put: async (key, from) => await putFile(root, pathOf(key), from),
    putFolder: async (key, from) => {
      checkMedia(key);
      const path = pathOf(key);
      await withDraft(root, async (draft) => {
        await moveInto(draft, from.path);
        await syncTree(draft);
        await mkdir(dirname(path), { recursive: true });
        // A folder cannot take the place of one that holds something. Whoever is cut off between the two does the step again.
        await rm(path, { recursive: true, force: true });
        await rename(draft, path);
      });
      await syncFoldersUpTo(root, dirname(path));
    },
    openRange: async (key, range) => await openRange(pathOf(key), range),
    stat: async (key) => {
      const found = await stat(pathOf(key)).catch(ignoreAbsent);
      return found?.isFile() ? { key, sizeBytes: found.size, modifiedAt: found.mtime } : null;
    },
    list: (prefix) => {
      if (prefix === 'index') return listBelow(indexFolder, prefix);
      return prefix === 'media' || prefix === 'parts' ? listAll(root, prefix) : listBelow(pathOf(prefix), prefix);
    },
    listVideos: () => listIds(root, 'media'),
    remove: async (key, reason) => {
      checkMedia(key);
      return await trash.take(key, reason, moveInto);
    },
    erase: async (key) => {
      checkMedia(key);
      const path = pathOf(key);
      if (!(await stat(path).catch(ignoreAbsent))) return;
      await rm(path, { recursive: true });
      // After a power cut it would be there again, and nobody's.
      await syncFoldersUpTo(root, dirname(path));
      await dropEmptyFolders(dirname(path), pathOf(`media/${videoIdOfKey(key)}`));
    },
    copyToTrash: async (key, reason) => {
      checkMedia(key);
      return await trash.take(key, reason, linkInto);
    },
    withLocalCopy: async (key, work) => {
      const path = pathOf(key);
      if (!(await stat(path).catch(ignoreAbsent))?.isFile()) throw new NotInStore(key);
      return await work(path);
    },
    discard: async (key) => {
      checkDiscardable(key);
      await rm(pathOf(key), { force: true });
    },
    isShared: false,
    indexFolder,
    trash,
  };
}

async function putFile(root: string, path: string, from: Parameters<FileStore['put']>[1]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const moved = from instanceof Uint8Array || !('path' in from) ? null : from.path;
  if (moved === null || !(await moveSynced(path, moved)))
    await withDraft(root, async (draft) => {
      if (from instanceof Uint8Array) await writeFile(draft, from);
      else await copyFile('copyOf' in from ? from.copyOf : from.path, draft, constants.COPYFILE_FICLONE);
      await syncToDisk(draft);
      await rename(draft, path);
    });
  await syncFoldersUpTo(root, dirname(path));
  if (moved !== null) await rm(moved, { force: true });
}

/** Two levels keep folders small with a hundred thousand videos. */
function pathBelow(root: string, key: string): string {
  const { area, id, rest } = partsOfKey(key);
  return area === 'index' ? join(archiveFolderIn(root).index, id, ...rest) : join(root, area, id.slice(0, 2), id, ...rest);
}

/** Has `work` write under a name of its own on the disk of the media, which a rename puts in place. A draft that `work` left behind goes: on a full disk the next try would lack the room. */
async function withDraft(root: string, work: (draft: string) => Promise<void>): Promise<void> {
  const { drafts } = archiveFolderIn(root);
  await mkdir(drafts, { recursive: true });
  const draft = join(drafts, randomUUID());
  try {
    await work(draft);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function openRange(path: string, range: ByteRange | undefined): Promise<StoredRange | null> {
  const found = await stat(path).catch(ignoreAbsent);
  if (!found?.isFile()) return null;
  const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY };
  return {
    sizeBytes: found.size,
    modifiedAt: found.mtime,
    bytes: async () => await readStretch(path, { start, end }),
    // An empty stretch cannot be told to a read stream, whose end is part of it.
    stream: () => (start < end ? createReadStream(path, { start, end: end - 1 }) : Readable.from([])),
  };
}

/** What lies there may have been replaced since it was looked at: all of a stretch is of the file as it is opened here. */
async function readStretch(path: string, { start, end }: ByteRange): Promise<Buffer> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const length = Math.max(0, Math.min(end, size) - start);
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
}

async function* listBelow(folder: string, key: string): AsyncGenerator<StoredFile> {
  for (const entry of await readdir(folder, { withFileTypes: true })
    .catch(ignoreAbsent)
    .then((found) => found ?? [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && isKeyPart(entry.name)) yield* listBelow(path, `${key}/${entry.name}`);
    const found = entry.isFile() && isKeyPart(entry.name) ? await stat(path).catch(ignoreAbsent) : null;
    if (found) yield { key: `${key}/${entry.name}`, sizeBytes: found.size, modifiedAt: found.mtime };
  }
}

async function* listAll(root: string, area: 'media' | 'parts'): AsyncGenerator<StoredFile> {
  for (const id of await listIds(root, area)) yield* listBelow(join(root, area, id.slice(0, 2), id), `${area}/${id}`);
}

async function listIds(root: string, area: 'media' | 'parts'): Promise<string[]> {
  const prefixes = (await namesIn(join(root, area))).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const ids = await Promise.all(
    prefixes.map(async (prefix) => (await namesIn(join(root, area, prefix))).filter((id) => isIdIn[area](id) && id.startsWith(prefix))),
  );
  return ids.flat();
}

const noteFile = 'taken.json';
const contentName = 'content';

/** The trash below a local data folder: `trash/{time}-{video}-{random}/` holds what was taken, and a note of why. */
function openLocalTrash(
  root: string,
  pathOf: (key: string) => string,
): Trash & { take(key: string, reason: string, bring: BringInto): Promise<TrashEntry | null> } {
  const folder = join(root, 'trash');
  const read = async (name: string): Promise<TrashEntry> => {
    const entry = trashName.test(name) ? await readEntry(folder, name) : null;
    if (!entry) throw new Error(`There is no ${name} in the trash.`);
    return entry;
  };
  const allNames = async () => (await namesIn(folder)).filter((name) => trashName.test(name)).sort();
  return {
    take: async (key, reason, bring) => {
      const path = pathOf(key);
      const found = await stat(path).catch(ignoreAbsent);
      if (!found) return null;
      await mkdir(folder, { recursive: true });
      // What is copied to the disk of the data leaves its reserve alone: the database may lie there.
      if (found.dev !== (await stat(folder)).dev) await ensureSpace([folder], await sizeOf(path));
      const name = makeTrashName(key);
      await mkdir(join(folder, name));
      // The note first: whatever lies here without one could not be put back.
      await writeFile(join(folder, name, noteFile), writeTrashNote({ key, reason }));
      await syncToDisk(join(folder, name, noteFile));
      await bring(join(folder, name, contentName), path);
      await syncFoldersUpTo(root, join(folder, name));
      await dropEmptyFolders(dirname(path), pathOf(`media/${videoIdOfKey(key)}`));
      return await read(name);
    },
    list: async (videoId) => await readEntries(await allNames(), { videoId, read: (name) => readEntry(folder, name) }),
    putBack: async (name, { isOver } = { isOver: false }) => {
      const entry = await read(name);
      const path = pathOf(entry.key);
      const content = join(folder, name, contentName);
      if (isOver) await putFile(root, path, { path: content });
      else {
        if (await stat(path).catch(ignoreAbsent)) throw new Error(`${entry.key} is there again; nothing was put back.`);
        await mkdir(dirname(path), { recursive: true });
        await moveInto(path, content);
        await syncFoldersUpTo(root, dirname(path));
      }
      await rm(join(folder, name), { recursive: true });
      return entry;
    },
    purge: async (name) => {
      await read(name);
      await dropEntry(folder, name);
    },
    purgeOf: async (videoId) => {
      for (const name of (await allNames()).filter((one) => isNameOf(one, videoId))) await dropEntry(folder, name);
    },
    sweep: async (now = Date.now()) => {
      for (const name of (await allNames()).filter((one) => isSettled(one, now))) {
        const parts = [noteFile, contentName].map((part) => stat(join(folder, name, part)).catch(ignoreAbsent));
        if ((await Promise.all(parts)).includes(null)) await dropEntry(folder, name);
      }
    },
  };
}

/** The note last: what is left without one is no entry, and nobody would purge it. */
async function dropEntry(folder: string, name: string): Promise<void> {
  await rm(join(folder, name, contentName), { recursive: true, force: true });
  await rm(join(folder, name), { recursive: true, force: true });
}

/** Null for what was cut off before anything was moved: what the note speaks of still lies where it was. */
async function readEntry(folder: string, name: string): Promise<TrashEntry | null> {
  const text = await readFile(join(folder, name, noteFile), 'utf8').catch(ignoreAbsent);
  const note = readTrashNote(text ?? '');
  const sizeBytes = await sizeOf(join(folder, name, contentName)).catch(ignoreAbsent);
  return note && sizeBytes !== null ? { name, ...note, sizeBytes } : null;
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.size;
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Removes the folders from `path` up to the video's own that hold nothing now. */
async function dropEmptyFolders(path: string, videoFolder: string): Promise<void> {
  for (let folder = path; folder.startsWith(videoFolder); folder = dirname(folder)) {
    const isDropped = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isDropped) return;
  }
}

type BringInto = (target: string, source: string) => Promise<void>;

/** Makes a file safe and renames it; false, and nothing done, where it lies on another disk. */
async function moveSynced(target: string, source: string): Promise<boolean> {
  await syncToDisk(source);
  return await rename(source, target).then(
    () => true,
    (error: unknown) => {
      if (errorCodeOf(error) !== 'EXDEV') throw error;
      return false;
    },
  );
}

/** Has a file lie in two places: as one, which no file here is ever changed in, or copied where a disk cannot do that. */
async function linkInto(target: string, source: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(errorCodeOf(error))) throw error;
    await copyWhole(target, source);
  }
}

/** Renames a file or folder, also to another disk: there it is copied, and gone from here only when the copy is safe. */
async function moveInto(target: string, source: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if (errorCodeOf(error) !== 'EXDEV') throw error;
    await copyWhole(target, source);
    await rm(source, { recursive: true });
  }
}

/** Copies to another disk, all of it or nothing. */
async function copyWhole(target: string, source: string): Promise<void> {
  try {
    await cp(source, target, { recursive: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE });
    await ((await stat(target)).isDirectory() ? syncTree(target) : syncToDisk(target));
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  }
}
