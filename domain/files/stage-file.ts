import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import type { ArchiveFolder } from './archive-folder.ts';
import type { FileStore } from './store.ts';

/** A copy of a file on its way into the archive; the store that takes it makes it safe. */
interface StagedFile {
  readonly path: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
}

const chunkBytes = 1024 * 1024;

/** Copies `source` into the stage folder under a name of our own, hashed. */
export async function stageFile(files: FilesOnDisk, source: string, reserveBytes = diskReserveBytes): Promise<StagedFile> {
  const { folder } = files;
  await mkdir(folder.staging, { recursive: true });
  await ensureSpace([folder.staging, ...listLocalMedia(files)], (await stat(source)).size, reserveBytes);
  const path = join(folder.staging, randomUUID());
  try {
    return { path, ...(await copyHashed(source, path)) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function copyHashed(source: string, path: string): Promise<Omit<StagedFile, 'path'>> {
  await using from = await open(source, 'r');
  await using to = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let sizeBytes = 0;
  for (;;) {
    const { bytesRead } = await from.read(chunk, 0, chunkBytes);
    if (bytesRead === 0) break;
    hash.update(chunk.subarray(0, bytesRead));
    await to.writeFile(chunk.subarray(0, bytesRead));
    sizeBytes += bytesRead;
  }
  return { contentHash: hash.digest('hex'), sizeBytes };
}

/** Space and room are looked at again after so much has come. */
const lookEveryBytes = 64 * 1_024 * 1_024;

interface Bounds {
  readonly fileMaxBytes: number;
  /** What stays free on the disks of these folders. */
  readonly reserveBytes: number;
  readonly folders: readonly string[];
  /** Throws where the archive has no room for so much. */
  requireRoom(sizeBytes: number): Promise<void>;
}

/** Writes what comes into a new file, hashed and safe on disk. Throws a Problem for more than may come; what was written lies there then. */
export async function writeHashed(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { fileMaxBytes, reserveBytes, folders, requireRoom }: Bounds,
): Promise<Omit<StagedFile, 'path'>> {
  await using to = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let lookAt = 0;
  for await (const chunk of bytes) {
    if (sizeBytes >= lookAt) {
      await ensureSpace(folders, lookEveryBytes, reserveBytes);
      await requireRoom(Math.max(1, sizeBytes));
      lookAt = sizeBytes + lookEveryBytes;
    }
    sizeBytes += chunk.length;
    if (sizeBytes > fileMaxBytes)
      throw new Problem('file_too_large', `A file sent this way may have at most ${Math.floor(fileMaxBytes / 1_000_000)} MB.`);
    hash.update(chunk);
    await to.writeFile(chunk);
  }
  await to.sync();
  await requireRoom(sizeBytes);
  return { contentHash: hash.digest('hex'), sizeBytes };
}

/** What stays free on the archive's disk whatever is imported, so that the database never meets a full disk. */
const diskReserveBytes = 512_000_000;

/** Throws `storage_full` when `neededBytes` more on the disk of any of these folders would eat into the reserve. */
export async function ensureSpace(folders: readonly string[], neededBytes: number, reserveBytes = diskReserveBytes): Promise<void> {
  const missingBytes = neededBytes + reserveBytes - (await findFullestDisk(folders)).freeBytes;
  if (missingBytes <= 0) return;
  const missingMb = Math.ceil(missingBytes / 1_000_000);
  throw new Problem('storage_full', `The archive's disk needs ${missingMb} MB more; once that is free, this resumes automatically.`);
}

interface FilesOnDisk {
  readonly folder: ArchiveFolder;
  readonly store: Pick<FileStore, 'isShared'>;
}

/** The folder of the media, which may lie on a disk of its own: whatever is made of a film ends there. None where they lie in a store that machines share. */
export function listLocalMedia({ folder, store }: FilesOnDisk): readonly string[] {
  return store.isShared ? [] : [folder.media];
}

interface Disk {
  /** By which it was asked for. */
  readonly folder: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Of the disks of these folders that with the least room. A folder that is yet to be made is left out; throws where none is there. */
export async function findFullestDisk(folders: readonly string[]): Promise<Disk> {
  let fullest: Disk | undefined;
  for (const folder of folders) {
    const disk = await statfs(folder).catch(ignoreAbsent);
    if (!disk) continue;
    const [freeBytes, totalBytes] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize];
    if (!fullest || freeBytes < fullest.freeBytes) fullest = { folder, freeBytes, totalBytes };
  }
  if (!fullest) throw new Error(`There is no ${folders.join(', and no ')}.`);
  return fullest;
}
