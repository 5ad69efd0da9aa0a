import { open } from 'node:fs/promises';
import { z } from 'zod';

/** A picture of three bytes a pixel (red, green, blue), from the top left, row by row. */
export interface RawPicture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Pictures of a film as `drawPictures` writes them, for a recogniser. */
export const RawPictures = z.object({ path: z.string(), width: z.number().int(), height: z.number().int() });
export type RawPictures = z.infer<typeof RawPictures>;

/** One after the other; each is to be read before the next is asked for. */
export async function* readPictures({ path, width, height }: RawPictures): AsyncGenerator<RawPicture> {
  await using file = await open(path, 'r');
  const pixels = Buffer.alloc(width * height * 3);
  for (;;) {
    const { bytesRead } = await file.read(pixels, 0, pixels.length);
    if (bytesRead < pixels.length) return;
    yield { pixels, width, height };
  }
}

/** Pixels of a picture that are compared with the one before. */
const comparedPixels = 4_096;
/** Mean difference, of 255, up to which a picture shows the same as another: what encoders do to a slide. */
const sameMax = 1.5;
/** Mean difference from which on it is another picture as a whole, as behind a cut. */
const wholeMin = 20;

/** Tells of picture after picture how much it differs from the last one that showed something else: a slide is looked at once. */
export function changeSinceBefore(): (picture: RawPicture) => 'none' | 'some' | 'whole' {
  let before: Uint8Array | undefined;
  return ({ pixels }) => {
    const step = Math.max(1, Math.floor(pixels.length / comparedPixels));
    const now = Uint8Array.from({ length: comparedPixels }, (_, n) => pixels[n * step] ?? 0);
    const mean = before
      ? now.reduce((sum, value, n) => sum + Math.abs(value - (before?.[n] ?? 0)), 0) / now.length
      : Number.POSITIVE_INFINITY;
    if (mean <= sameMax) return 'none';
    before = now;
    return mean < wholeMin ? 'some' : 'whole';
  };
}
