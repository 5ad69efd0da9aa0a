import { statfs } from 'node:fs/promises';
import { Problem } from '#contract/problem.ts';

/** What stays free on the archive's disk whatever is imported, so that the database never meets a full disk. */
export const diskReserveBytes = 512 * 1024 * 1024;

/** Throws `storage_full` when `neededBytes` more on the disk of `folder` would eat into the reserve. */
export async function ensureSpace(folder: string, neededBytes: number, reserveBytes = diskReserveBytes): Promise<void> {
  const missingBytes = neededBytes + reserveBytes - (await freeBytes(folder));
  if (missingBytes <= 0) return;
  const missingMb = Math.ceil(missingBytes / 1_000_000);
  throw new Problem('storage_full', `The archive's disk lacks ${missingMb} MB; free that much and the import goes on by itself.`);
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
