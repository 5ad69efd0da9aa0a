import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveFolder } from './archive-folder.ts';
import { diskReserveBytes, ensureSpace } from './disk-reserve.ts';

/** A copy of a file on its way into the archive; the store that takes it makes it safe. */
export interface StagedFile {
  readonly path: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
}

const chunkBytes = 1024 * 1024;

/** Copies `source` into the stage folder under a name of our own, hashed. */
export async function stageFile(folder: ArchiveFolder, source: string, reserveBytes = diskReserveBytes): Promise<StagedFile> {
  await mkdir(folder.stage, { recursive: true });
  await ensureSpace(folder.stage, (await stat(source)).size, reserveBytes);
  const path = join(folder.stage, randomUUID());
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
