import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCodeOf } from './error-code.ts';
import { ignoreAbsent } from './null-when-absent.ts';
import { syncToDisk } from './sync-to-disk.ts';

/**
 * Makes a small file that only its owner reads, whole and safe on disk, unless it exists; returns what it holds then.
 * A hard link appears whole or not at all, and only the first of several processes can make it.
 */
export function createOnce(path: string, text: string): string {
  const draft = writeDraft(path, text);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(path));
  return readFileSync(path, 'utf8');
}

/** What a small file holds; null where there is none. */
export function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return ignoreAbsent(error);
  }
}

/** Puts a small file in the place of another, whole and safe on disk; it belongs to whoever owns the folder. */
export function replaceFile(path: string, text: string): void {
  const draft = writeDraft(path, text);
  const { uid, gid } = statSync(dirname(path));
  if (process.getuid?.() === 0 && uid !== 0) chownSync(draft, uid, gid);
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** Writes a small file as a whole: when this returns, a power cut no longer takes it back, and nobody ever sees half of it. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  {
    await using file = await open(draft, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(draft, path);
  await syncToDisk(dirname(path));
}

/** Makes the names in a folder safe on disk, where nobody may wait: `syncToDisk` does it for those who may. */
export function syncFolder(path: string): void {
  // Windows opens no folders, and keeps their names safe by itself.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Writes all of these bytes at a place of an open file: one call may take only a part, as on a disk that is about to be full. */
export async function writeWhole(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

function writeDraft(path: string, text: string): string {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    // Until all of it is written: a disk that is about to be full takes a part, and says so.
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  chmodSync(draft, 0o600);
  return draft;
}
