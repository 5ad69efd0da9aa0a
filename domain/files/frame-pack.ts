import { open, readFile } from 'node:fs/promises';

/** Frames of one video in one file, in order of time; frame n shows second 2n. */
export interface FramePack {
  readonly count: number;
  /** The JPEG of frame `n`, the last one for an `n` past the end. */
  read(n: number): Promise<Buffer>;
  close(): Promise<void>;
}

const magic = 'RFP1';
const headBytes = 8;
const offsetBytes = 8;

/**
 * Writes the JPEG files `framePaths` into one pack: "RFP1", their number, where each begins and the last one ends
 * (little-endian doubles, exact far beyond any file), then the frames.
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
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Opens a pack for reading: its index is read once, then every frame is one positioned read. */
export async function openFramePack(path: string): Promise<FramePack> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    await file.read(head, 0, headBytes, 0);
    if (head.toString('latin1', 0, 4) !== magic) throw new Error(`${path} is not a frame pack`);
    const count = head.readUInt32LE(4);
    const offsets = Buffer.alloc(offsetBytes * (count + 1));
    await file.read(offsets, 0, offsets.length, headBytes);
    return {
      count,
      read: async (n) => {
        const frame = Math.min(Math.max(0, Math.trunc(n)), count - 1);
        const start = offsets.readDoubleLE(offsetBytes * frame);
        const length = offsets.readDoubleLE(offsetBytes * (frame + 1)) - start;
        const { buffer } = await file.read(Buffer.alloc(length), 0, length, start);
        return buffer;
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}
