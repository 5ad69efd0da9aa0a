import type { RawPicture } from '../raw-pictures.ts';

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
  { pixels, width, height }: RawPicture,
  { box, size, normal }: { box: Box; size: { width: number; height: number }; normal: Normal },
): Float32Array {
  const plane = size.width * size.height;
  const planes = new Float32Array(3 * plane);
  const across = placeBetweenPixels(size.width, { from: box.x, length: box.width, last: width - 1 });
  const down = placeBetweenPixels(size.height, { from: box.y, length: box.height, last: height - 1 });
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
        const top = mix(pixels[(upper + left) * 3 + colour] ?? 0, pixels[(upper + right) * 3 + colour] ?? 0, beside);
        const bottom = mix(pixels[(lower + left) * 3 + colour] ?? 0, pixels[(lower + right) * 3 + colour] ?? 0, beside);
        planes[colour * plane + y * size.width + x] = mix(top, bottom, below) * (scale[colour] ?? 0) - (shift[colour] ?? 0);
      }
    }
  }
  return planes;
}

function mix(a: number, b: number, share: number): number {
  return a + (b - a) * share;
}

/** Between which two pixels of `length` from `from` on each of `count` new ones lies, and how near to the second. */
function placeBetweenPixels(
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

/** Where two pictures of one size differ. */
export interface Change {
  /** Of the picture, 0 to 1. */
  readonly share: number;
  /** Whether anything changed within a part of it. */
  readonly touches: (box: Box) => boolean;
}

/** Pictures are compared in squares of so many pixels a side, by every second pixel of every second line. */
const side = 8;
/** How far the green of a square must differ on average, of 255: what compression does to a picture that stands still is less. */
const differenceMin = 10;

/** Compares two pictures square by square. */
export function changeBetween(before: RawPicture, after: RawPicture): Change {
  const [across, down] = [Math.ceil(after.width / side), Math.ceil(after.height / side)];
  const changed = new Uint8Array(across * down);
  let count = 0;
  for (let row = 0; row < down; row++)
    for (let column = 0; column < across; column++) {
      if (!differs(before, after, { x: column * side, y: row * side })) continue;
      changed[row * across + column] = 1;
      count++;
    }
  const touches = ({ x, y, width, height }: Box) => {
    const [right, bottom] = [Math.floor((x + width - 1) / side), Math.floor((y + height - 1) / side)];
    for (let row = Math.floor(y / side); row <= bottom; row++)
      for (let column = Math.floor(x / side); column <= right; column++) if (changed[row * across + column] === 1) return true;
    return false;
  };
  return { share: count / changed.length, touches };
}

function differs(before: RawPicture, after: RawPicture, { x, y }: { x: number; y: number }): boolean {
  const [right, bottom] = [Math.min(after.width, x + side), Math.min(after.height, y + side)];
  let [sum, count] = [0, 0];
  for (let line = y; line < bottom; line += 2)
    for (let column = x; column < right; column += 2) {
      const at = (line * after.width + column) * 3 + 1;
      sum += Math.abs((before.pixels[at] ?? 0) - (after.pixels[at] ?? 0));
      count++;
    }
  return sum >= differenceMin * count;
}

/** From which variance on a part of a picture holds anything. */
const flatMax = 25;

/** How alike a part of two pictures is, whatever their light: 1 for the same, 0 for nothing in common. */
export function likenessOf(one: RawPicture, other: RawPicture, { x, y, width, height }: Box): number {
  let [count, sum, otherSum, squares, otherSquares, products] = [0, 0, 0, 0, 0, 0];
  for (let line = y; line < y + height; line++)
    for (let column = x; column < x + width; column++) {
      const at = (line * one.width + column) * 3 + 1;
      const [a, b] = [one.pixels[at] ?? 0, other.pixels[at] ?? 0];
      count++;
      sum += a;
      otherSum += b;
      squares += a * a;
      otherSquares += b * b;
      products += a * b;
    }
  const [variance, otherVariance] = [squares / count - (sum / count) ** 2, otherSquares / count - (otherSum / count) ** 2];
  if (variance < flatMax || otherVariance < flatMax) return variance < flatMax && otherVariance < flatMax ? 1 : 0;
  return (products / count - (sum / count) * (otherSum / count)) / Math.sqrt(variance * otherVariance);
}

/** The likeness of the least alike part of a line, each about as wide as it is high: a letter that changed is not lost among the others. */
export function leastLikenessOf(one: RawPicture, other: RawPicture, line: Box): number {
  let least = 1;
  for (let x = line.x; x < line.x + line.width; x += line.height) {
    const width = Math.min(line.height, line.x + line.width - x);
    least = Math.min(least, likenessOf(one, other, { ...line, x, width }));
  }
  return least;
}
