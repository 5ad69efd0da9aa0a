import { open, readFile } from 'node:fs/promises';
import { writeWhole } from '../system/durable-file.ts';
import type { ByteRange, FileStore } from './store.ts';

const magic = 'RFP1';
/** Of a pack that also says when each of its frames stands. */
const timedMagic = 'RFP2';
const headBytes = 8;
const numberBytes = 8;

/**
 * Writes the JPEG files `framePaths` into one pack: "RFP1", their number, where each begins and the last one ends
 * (little-endian doubles, exact far beyond any file), then the frames in order of time; frame n shows second 2n. Where `timesMs` says
 * at which milliseconds the frames stand, one of them for each, it is "RFP2", and those follow where the last one ends.
 */
export async function writeFramePack(path: string, framePaths: readonly string[], timesMs: readonly number[] = []): Promise<void> {
  const file = await open(path, 'w');
  try {
    const timesAt = headBytes + numberBytes * (framePaths.length + 1);
    const index = Buffer.alloc(timesAt + numberBytes * timesMs.length);
    index.write(timesMs.length > 0 ? timedMagic : magic, 0, 'latin1');
    index.writeUInt32LE(framePaths.length, 4);
    let offset = index.length;
    for (const [n, framePath] of framePaths.entries()) {
      index.writeDoubleLE(offset, headBytes + numberBytes * n);
      const frame = await readFile(framePath);
      await writeWhole(file, frame, offset);
      offset += frame.length;
    }
    index.writeDoubleLE(offset, headBytes + numberBytes * framePaths.length);
    for (const [n, timeMs] of timesMs.entries()) index.writeDoubleLE(timeMs, timesAt + numberBytes * n);
    await writeWhole(file, index, 0);
  } finally {
    await file.close();
  }
}

/** Frame `n` of the pack under `key`; null past its end, and when there is no such pack. Throws when the file is no pack. */
export async function readFrame(store: FileStore, key: string, n: number): Promise<Buffer | null> {
  const count = await countFrames(store, key);
  if (count === null || n < 0 || n >= count) return null;
  const offset = headBytes + numberBytes * n;
  const offsets = await bytesOf(store, key, { start: offset, end: offset + 2 * numberBytes });
  return await bytesOf(store, key, { start: offsets.readDoubleLE(0), end: offsets.readDoubleLE(numberBytes) });
}

/** The frame of the pack under `key` that stands at this millisecond; null where none does, and when there is no such pack that says so. */
export async function readFrameAt(store: FileStore, key: string, atMs: number): Promise<Buffer | null> {
  const head = await headOf(store, key);
  if (!head?.isTimed) return null;
  const { count } = head;
  const index = await bytesOf(store, key, { start: headBytes, end: headBytes + numberBytes * (2 * count + 1) });
  const numberAt = (n: number) => index.readDoubleLE(numberBytes * n);
  for (let n = 0; n < count; n++)
    if (numberAt(count + 1 + n) === atMs) return await bytesOf(store, key, { start: numberAt(n), end: numberAt(n + 1) });
  return null;
}

/** How many frames the pack under `key` holds; null when there is none. Throws when the file is no pack. */
export async function countFrames(store: FileStore, key: string): Promise<number | null> {
  return (await headOf(store, key))?.count ?? null;
}

async function headOf(store: FileStore, key: string): Promise<{ count: number; isTimed: boolean } | null> {
  const head = await (await store.openRange(key, { start: 0, end: headBytes }))?.bytes();
  if (!head) return null;
  const name = head.toString('latin1', 0, 4);
  if (name !== magic && name !== timedMagic) throw new Error(`${key} is not a frame pack`);
  return { count: head.readUInt32LE(4), isTimed: name === timedMagic };
}

async function bytesOf(store: FileStore, key: string, range: ByteRange): Promise<Buffer> {
  return (await (await store.openRange(key, range))?.bytes()) ?? Buffer.alloc(0);
}
