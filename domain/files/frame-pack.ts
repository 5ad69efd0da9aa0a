import { open, readFile } from 'node:fs/promises';
import type { ByteRange, FileStore } from './store.ts';

const magic = 'RFP1';
const headBytes = 8;
const offsetBytes = 8;

/**
 * Writes the JPEG files `framePaths` into one pack: "RFP1", their number, where each begins and the last one ends
 * (little-endian doubles, exact far beyond any file), then the frames in order of time; frame n shows second 2n.
 */
export async function writeFramePack(path: string, framePaths: readonly string[]): Promise<void> {
  const file = await open(path, 'w');
  try {
    const index = Buffer.alloc(headBytes + offsetBytes * (framePaths.length + 1));
    index.write(magic, 0, 'latin1');
    index.writeUInt32LE(framePaths.length, 4);
    let offset = index.length;
    for (const [n, framePath] of framePaths.entries()) {
      index.writeDoubleLE(offset, headBytes + offsetBytes * n);
      const frame = await readFile(framePath);
      await file.write(frame, 0, frame.length, offset);
      offset += frame.length;
    }
    index.writeDoubleLE(offset, headBytes + offsetBytes * framePaths.length);
    await file.write(index, 0, index.length, 0);
  } finally {
    await file.close();
  }
}

/** Frame `n` of the pack under `key`; null past its end, and when there is no such pack. Throws when the file is no pack. */
export async function readFrame(store: FileStore, key: string, n: number): Promise<Buffer | null> {
  const count = await countFrames(store, key);
  if (count === null || n < 0 || n >= count) return null;
  const place = headBytes + offsetBytes * n;
  const offsets = await bytesOf(store, key, { start: place, end: place + 2 * offsetBytes });
  return await bytesOf(store, key, { start: offsets.readDoubleLE(0), end: offsets.readDoubleLE(offsetBytes) });
}

/** How many frames the pack under `key` holds; null when there is none. Throws when the file is no pack. */
export async function countFrames(store: FileStore, key: string): Promise<number | null> {
  const head = await (await store.openRange(key, { start: 0, end: headBytes }))?.bytes();
  if (!head) return null;
  if (head.toString('latin1', 0, 4) !== magic) throw new Error(`${key} is not a frame pack`);
  return head.readUInt32LE(4);
}

async function bytesOf(store: FileStore, key: string, range: ByteRange): Promise<Buffer> {
  return (await (await store.openRange(key, range))?.bytes()) ?? Buffer.alloc(0);
}
