import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { errorCodeOf } from '../system/error-code.ts';
import type { BackupFolder } from './backup-folder.ts';
import type { Content } from './content-set.ts';

/** A content or a snapshot that is missing from a folder of backups, or is not what was kept. */
export class ContentFault extends Error {}

/** Keeps these bytes under their hash, once however often they come. When this returns, a power cut no longer loses them. */
export async function keepContent(folder: BackupFolder, bytes: AsyncIterable<Uint8Array>): Promise<Content> {
  const draft = join(folder.incoming, randomUUID());
  try {
    const content = await writeHashed(draft, bytes);
    await settle(folder, draft, content);
    return content;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Whether a content is there in its size. What its bytes are, only `readContent` tells. */
export async function hasContent(folder: BackupFolder, { sha256, sizeBytes }: Content): Promise<boolean> {
  return await folder.files.holds(folder.content(sha256), sizeBytes);
}

/** The bytes of a content, in order. Throws a ContentFault, at the latest after the last byte, when they are not what was kept. */
export async function* readContent(folder: BackupFolder, { sha256, sizeBytes }: Content): AsyncGenerator<Buffer, void> {
  const path = folder.content(sha256);
  const hash = createHash('sha256');
  let readBytes = 0;
  const bytes = await folder.files.read(path);
  if (bytes === null) throw new ContentFault(`${path} is missing`);
  for await (const chunk of bytes) {
    hash.update(chunk);
    readBytes += chunk.length;
    yield chunk;
  }
  if (readBytes !== sizeBytes || hash.digest('hex') !== sha256) throw new ContentFault(`${path} is damaged`);
}

/** The same of a content that was kept gzipped, unpacked. */
export async function* readPackedContent(folder: BackupFolder, content: Content): AsyncGenerator<Buffer, void> {
  const unpacked = createGunzip({ chunkSize: 64 * 1024 });
  const fed = pipeline(Readable.from(readContent(folder, content)), unpacked);
  // Its failure reaches us by the stream.
  fed.catch(() => {});
  try {
    for await (const chunk of unpacked) yield chunk;
  } catch (error) {
    // The hash would have told too, had the damage not stopped the unpacking first.
    if (errorCodeOf(error).startsWith('Z_')) throw new ContentFault(`${folder.content(content.sha256)} is damaged`);
    throw error;
  }
}

async function writeHashed(path: string, bytes: AsyncIterable<Uint8Array>): Promise<Content> {
  await using file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    await file.writeFile(chunk);
    sizeBytes += chunk.length;
  }
  await file.sync();
  return { sha256: hash.digest('hex'), sizeBytes };
}

async function settle(folder: BackupFolder, draft: string, content: Content): Promise<void> {
  if (await hasContent(folder, content)) await rm(draft);
  else await folder.files.take(folder.content(content.sha256), draft);
}
