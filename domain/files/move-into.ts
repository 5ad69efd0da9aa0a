import { cp, rename, rm, stat } from 'node:fs/promises';
import { errorCode } from '../db/error-code.ts';
import { syncToDisk, syncTree } from './sync-to-disk.ts';

/** Renames a file or folder, also to another disk: there it is copied, and gone from here only when the copy is safe. */
export async function moveInto(target: string, source: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    await cp(source, target, { recursive: true, errorOnExist: true, force: false, preserveTimestamps: true });
    await ((await stat(target)).isDirectory() ? syncTree(target) : syncToDisk(target));
    await rm(source, { recursive: true });
  }
}
