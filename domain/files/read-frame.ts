import { openFramePack } from './frame-pack.ts';
import { nullWhenAbsent } from './null-when-absent.ts';

/** Frame `n` of the pack at `path`; null past its end, and of a video without frames. */
export async function readFrame(path: string, n: number): Promise<Buffer | null> {
  const pack = await openFramePack(path).catch(nullWhenAbsent);
  if (!pack) return null;
  try {
    return n < pack.count ? await pack.read(n) : null;
  } finally {
    await pack.close();
  }
}
