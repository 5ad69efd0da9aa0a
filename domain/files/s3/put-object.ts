import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { writeBehind } from '../../db/write-behind.ts';
import { StoreAway } from '../store-away.ts';
import { piecesOf } from './pieces-of.ts';
import { findObject, openObject } from './read-object.ts';
import { isUploadGone, type S3Client } from './s3-client.ts';

/** What is longer goes in parts of this length: a part that is cut off is sent again, and not the whole. */
const partBytes = 16 * 1_048_576;
const partsMax = 9_000;
const partsAtOnce = 4;
/** The most that a store copies by itself in one call. */
const copiedMaxBytes = 5_000_000_000;
const contentType = 'application/octet-stream';

/** Puts bytes. The store compares them with their checksum. Throws StoreAway. */
export async function putBytes(client: S3Client, name: string, bytes: Uint8Array): Promise<void> {
  const checksum = checksumOf(bytes);
  await client.ask((s3) => s3.putObject(name, bytes, contentType, undefined, checksum));
}

/** Puts a file of this machine; whoever reads the name meanwhile reads what had it before. Throws StoreAway, and what reading the file throws. */
export async function putFile(client: S3Client, name: string, path: string): Promise<void> {
  const { size } = await stat(path);
  if (size <= partBytes) await putBytes(client, name, await readFile(path));
  else await putParts(client, { name, sizeBytes: size }, partsOfFile(path, lengthOfPart(size)));
}

/** Copies an object within the bucket. Throws StoreAway. */
export async function copyObject(client: S3Client, from: string, to: string): Promise<void> {
  const found = await findObject(client, from);
  if (!found) throw new StoreAway(`${from} is gone before it was copied`);
  if (found.sizeBytes <= copiedMaxBytes) return void (await client.ask((s3) => s3.copyObject(from, to), { copiedBytes: found.sizeBytes }));
  const object = await openObject(client, from);
  if (!object) throw new StoreAway(`${from} is gone before it was copied`);
  await putParts(client, { name: to, sizeBytes: found.sizeBytes }, piecesOf(object.stream(), lengthOfPart(found.sizeBytes)));
}

function lengthOfPart(sizeBytes: number): number {
  return Math.max(partBytes, Math.ceil(sizeBytes / partsMax));
}

async function putParts(
  client: S3Client,
  { name, sizeBytes }: { name: string; sizeBytes: number },
  parts: AsyncIterable<Uint8Array>,
): Promise<void> {
  const upload = await client.ask((s3) => s3.getMultipartUploadId(name, contentType));
  try {
    const sent: { partNumber: number; etag: string }[] = [];
    const sending = writeBehind({ atOnce: partsAtOnce });
    let partNumber = 0;
    for await (const bytes of parts) {
      const number = ++partNumber;
      await sending.begin(async () => void sent.push(await putPart(client, { name, upload, number }, bytes)));
    }
    await sending.end();
    sent.sort((a, b) => a.partNumber - b.partNumber);
    await complete(client, { name, upload, sizeBytes }, sent);
  } catch (error) {
    await client.s3.abortMultipartUpload(name, upload).catch(() => {});
    throw error;
  }
}

/** Puts one part of an upload that is under way; a later one of the same number takes its place. Throws StoreAway. */
async function putPart(
  client: S3Client,
  { name, upload, number }: { name: string; upload: string; number: number },
  bytes: Uint8Array,
): Promise<{ partNumber: number; etag: string }> {
  const checksum = checksumOf(bytes);
  return await client.ask((s3) => s3.uploadPart(name, upload, bytes, number, {}, undefined, checksum));
}

async function complete(
  client: S3Client,
  { name, upload, sizeBytes }: { name: string; upload: string; sizeBytes: number },
  parts: { partNumber: number; etag: string }[],
): Promise<void> {
  try {
    await client.ask(async (s3) => {
      // A store may begin its answer with 200 and end it with an error.
      const { etag } = await s3.completeMultipartUpload(name, upload, parts);
      if (!etag) throw new Error(`${name} was not put together`);
    });
  } catch (error) {
    // It may have come about, and the answer been lost.
    const found = isUploadGone(error) ? await findObject(client, name) : null;
    if (found?.sizeBytes !== sizeBytes || !found.etag.endsWith(`-${parts.length}`)) throw error;
  }
}

async function* partsOfFile(path: string, length: number): AsyncGenerator<Buffer> {
  await using file = await open(path, 'r');
  for (;;) {
    const part = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(part, filled, length - filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    if (filled > 0) yield part.subarray(0, filled);
    if (filled < length) return;
  }
}

/** The checksum that every S3 server compares; it need not be part of what is signed. */
function checksumOf(bytes: Uint8Array): { 'content-md5': string } {
  return { 'content-md5': createHash('md5').update(bytes).digest('base64') };
}
