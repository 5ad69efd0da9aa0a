/** A picture of three bytes a pixel: red, green, blue. */
export interface Picture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A part of a picture, in pixels from its upper left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What a network was trained with: mean and deviation of each colour, of 1. */
interface Normal {
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/** A part of a picture in another size, as networks want it: one colour behind the other, normalised. */
export function planesOf(
  { pixels, width, height }: Picture,
  { box, size, normal }: { box: Box; size: { width: number; height: number }; normal: Normal },
): Float32Array {
  const plane = size.width * size.height;
  const planes = new Float32Array(3 * plane);
  const across = betweenPixels(size.width, { from: box.x, length: box.width, last: width - 1 });
  const down = betweenPixels(size.height, { from: box.y, length: box.height, last: height - 1 });
  const scale = normal.deviation.map((deviation) => 1 / (255 * deviation));
  const shift = normal.mean.map((mean, colour) => mean / (normal.deviation[colour] ?? 1));
  for (let y = 0; y < size.height; y++) {
    const upper = (down.low[y] ?? 0) * width;
    const lower = (down.high[y] ?? 0) * width;
    const below = down.share[y] ?? 0;
    for (let x = 0; x < size.width; x++) {
      const left = across.low[x] ?? 0;
      const right = across.high[x] ?? 0;
      const beside = across.share[x] ?? 0;
      for (let colour = 0; colour < 3; colour++) {
        const top = mixed(pixels[(upper + left) * 3 + colour] ?? 0, pixels[(upper + right) * 3 + colour] ?? 0, beside);
        const bottom = mixed(pixels[(lower + left) * 3 + colour] ?? 0, pixels[(lower + right) * 3 + colour] ?? 0, beside);
        planes[colour * plane + y * size.width + x] = mixed(top, bottom, below) * (scale[colour] ?? 0) - (shift[colour] ?? 0);
      }
    }
  }
  return planes;
}

function mixed(a: number, b: number, share: number): number {
  return a + (b - a) * share;
}

/** Between which two pixels of `length` from `from` on each of `count` new ones lies, and how near to the second. */
function betweenPixels(
  count: number,
  { from, length, last }: { from: number; length: number; last: number },
): { low: Int32Array; high: Int32Array; share: Float32Array } {
  const [low, high, share] = [new Int32Array(count), new Int32Array(count), new Float32Array(count)];
  for (let n = 0; n < count; n++) {
    const at = Math.min(last, Math.max(0, from + ((n + 0.5) * length) / count - 0.5));
    low[n] = Math.floor(at);
    high[n] = Math.min(last, Math.floor(at) + 1);
    share[n] = at - Math.floor(at);
  }
  return { low, high, share };
}
