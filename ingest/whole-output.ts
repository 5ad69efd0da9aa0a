import { type FileHandle, open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ensureSpace } from '#domain/files/stage-file.ts';
import { StepFailure } from './step-failure.ts';

/** On a disk with less than this nothing more can be written, whatever has been freed since. */
const fullBelowBytes = 16_000_000;

/**
 * Makes sure that what a tool wrote is there to its end: FFmpeg 5 ends with 0 and without a word when the disk is full. Throws
 * `storage_full` where that is the reason, else a `StepFailure`.
 */
export async function requireWhole(paths: readonly string[], workFolder: string): Promise<void> {
  for (const path of paths) {
    if (await isWhole(path)) continue;
    await ensureSpace([workFolder], 0, fullBelowBytes);
    throw new StepFailure({ is: 'try-again' }, `The tool left ${basename(path)} incomplete.`);
  }
}

async function isWhole(path: string): Promise<boolean> {
  if (path.endsWith('.jpg')) return await isWholeJpeg(path);
  if (path.endsWith('.m3u8')) return (await readFile(path, 'utf8')).includes('#EXT-X-ENDLIST');
  return await isWholeMp4(path);
}

/** A JPEG ends with its end-of-image marker. */
async function isWholeJpeg(path: string): Promise<boolean> {
  const bytes = await readFile(path);
  return bytes.length > 4 && bytes.readUInt16BE(bytes.length - 2) === 0xff_d9;
}

/** The boxes of an MP4 file say how long they are (ISO/IEC 14496-12, 4.2): all together are as long as the file, and there is one. */
async function isWholeMp4(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  let offset = 0;
  while (offset < size) {
    const boxBytes = await readBoxSize(file, offset);
    if (boxBytes < 8) return false;
    offset += boxBytes;
  }
  return offset === size && size > 0;
}

/** 0 for what is no box. */
async function readBoxSize(file: FileHandle, offset: number): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, offset);
  if (bytesRead < 8) return 0;
  const size = buffer.readUInt32BE(0);
  return size === 1 && bytesRead === 16 ? Number(buffer.readBigUInt64BE(8)) : size;
}
