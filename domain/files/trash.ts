import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { moveInto } from './move-into.ts';
import { nullWhenAbsent } from './null-when-absent.ts';
import { parseJson } from './parse-json.ts';
import type { Trash, TrashEntry } from './store.ts';
import { syncFoldersUpTo, syncToDisk } from './sync-to-disk.ts';
import { videoIdOfKey } from './video-keys.ts';

const Note = z.object({ key: z.string(), reason: z.string(), at: z.coerce.date() });
const noteFile = 'taken.json';
const contentName = 'content';
const entryName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{10}-[0-9a-f]{6}$/;

/** The trash below a local data folder: `trash/{time}-{video}-{random}/` holds what was taken, and a note of why. */
export function localTrash(
  root: string,
  pathOf: (key: string) => string,
): Trash & { take(key: string, reason: string): Promise<TrashEntry | null> } {
  const folder = join(root, 'trash');
  const read = async (name: string): Promise<TrashEntry> => {
    const entry = entryName.test(name) ? await readEntry(folder, name) : null;
    if (!entry) throw new Error(`The trash holds no ${name}.`);
    return entry;
  };
  return {
    take: async (key, reason) => {
      const path = pathOf(key);
      if (!(await stat(path).catch(nullWhenAbsent))) return null;
      const name = newEntryName(key);
      await mkdir(join(folder, name), { recursive: true });
      // The note first: whatever lies here without one could not be put back.
      await writeFile(join(folder, name, noteFile), JSON.stringify({ key, reason, at: new Date() }));
      await syncToDisk(join(folder, name, noteFile));
      await moveInto(join(folder, name, contentName), path);
      await syncFoldersUpTo(root, join(folder, name));
      await dropEmptyFolders(dirname(path), pathOf(`media/${videoIdOfKey(key)}`));
      return await read(name);
    },
    list: async () => {
      const names = ((await readdir(folder).catch(nullWhenAbsent)) ?? []).filter((name) => entryName.test(name)).sort();
      const entries = await Promise.all(names.map((name) => readEntry(folder, name)));
      return entries.filter((entry) => entry !== null);
    },
    putBack: async (name) => {
      const entry = await read(name);
      const path = pathOf(entry.key);
      if (await stat(path).catch(nullWhenAbsent)) throw new Error(`${entry.key} is there again; nothing was put back.`);
      await mkdir(dirname(path), { recursive: true });
      await moveInto(path, join(folder, name, contentName));
      await syncFoldersUpTo(root, dirname(path));
      await rm(join(folder, name), { recursive: true });
      return entry;
    },
    purge: async (name) => {
      await read(name);
      await rm(join(folder, name), { recursive: true });
    },
  };
}

/** A name in the trash for what lay under `key`: they sort by time. */
export function newEntryName(key: string): string {
  return `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}-${videoIdOfKey(key)}-${randomBytes(3).toString('hex')}`;
}

/** Null for what was cut off before anything was moved: what the note speaks of still lies where it was. */
async function readEntry(folder: string, name: string): Promise<TrashEntry | null> {
  const text = await readFile(join(folder, name, noteFile), 'utf8').catch(nullWhenAbsent);
  const note = Note.safeParse(parseJson(text ?? ''));
  const sizeBytes = await sizeOf(join(folder, name, contentName)).catch(nullWhenAbsent);
  return note.success && sizeBytes !== null ? { name, ...note.data, sizeBytes } : null;
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
