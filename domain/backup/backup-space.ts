import { statfs } from 'node:fs/promises';

/** A little is left free: lists and snapshots come after the files. */
const reserveBytes = 32 * 1024 * 1024;

/** Throws a sentence when `neededBytes` more do not fit on the disk of `folder`. */
export async function ensureRoom(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const missingBytes = neededBytes + reserveBytes - bavail * bsize;
  if (missingBytes <= 0) return;
  throw new Error(
    `The disk of ${folder} lacks ${Math.ceil(missingBytes / 1_000_000)} MB. Free that much, or use another disk; the next run continues from there.`,
  );
}
