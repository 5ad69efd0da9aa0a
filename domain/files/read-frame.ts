import { openFramePack } from './frame-pack.ts';

/** Frame `n` of the pack at `path`; null past its end. */
export async function readFrame(path: string, n: number): Promise<Buffer | null> {
  const pack = await openFramePack(path);
  try {
    return n < pack.count ? await pack.read(n) : null;
  } finally {
    await pack.close();
  }
}
