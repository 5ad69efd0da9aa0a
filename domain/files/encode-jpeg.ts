import { JpegBits } from './jpeg-bits.ts';

/** Luminance quantisation, row by row, for quality 50 (ITU-T T.81, table K.1). All three components are quantised by it. */
const quantisation = [
  [16, 11, 10, 16, 24, 40, 51, 61],
  [12, 12, 14, 19, 26, 58, 60, 55],
  [14, 13, 16, 24, 40, 57, 69, 56],
  [14, 17, 22, 29, 51, 87, 80, 62],
  [18, 22, 37, 56, 68, 109, 103, 77],
  [24, 35, 55, 64, 81, 104, 113, 92],
  [49, 64, 78, 87, 103, 121, 120, 101],
  [72, 92, 95, 98, 112, 100, 103, 99],
].flat();

const side = 8;
const rowOf = (n: number) => Math.floor(n / side);
const columnOf = (n: number) => n % side;
const diagonalOf = (n: number) => rowOf(n) + columnOf(n);
/** Places in a block from the lowest frequency to the highest: diagonal by diagonal, up and down in turn. */
const zigzag = Uint8Array.from({ length: side * side }, (_, n) => n).sort(
  (a, b) => diagonalOf(a) - diagonalOf(b) || (diagonalOf(a) % 2 === 1 ? rowOf(a) - rowOf(b) : columnOf(a) - columnOf(b)),
);
/** The cosine transform of eight samples: a row of factors for each frequency. */
const cosines = Float64Array.from({ length: side * side }, (_, n) => {
  const scale = rowOf(n) === 0 ? Math.SQRT1_2 / 2 : 1 / 2;
  return scale * Math.cos(((2 * columnOf(n) + 1) * rowOf(n) * Math.PI) / (2 * side));
});

/** Shares of red, green and blue, and what is added, for brightness and the two colour differences (JFIF 1.02), around 0. */
const components = [
  [0.299, 0.587, 0.114, -128],
  [-0.168736, -0.331264, 0.5, 0],
  [0.5, -0.418688, -0.081312, 0],
] as const;

/**
 * A baseline JPEG of pixels of four bytes (red, green, blue, unused), from the top left, row by row. Made for drawings with large
 * plain areas, which cost next to nothing. Throws unless `width` and `height` are multiples of 8; `quality` from 50 to 100.
 */
export function encodeJpeg(pixels: Buffer, { width, height, quality }: { width: number; height: number; quality: number }): Buffer {
  if (width % side !== 0 || height % side !== 0) throw new Error(`A picture of ${width} by ${height} cannot be cut into squares of 8.`);
  const stepAt = (place: number) => Math.max(1, Math.floor(((quantisation[place] ?? 0) * (200 - 2 * quality) + 50) / 100));
  const steps = Uint8Array.from(zigzag, stepAt);
  const colours = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const bits = new JpegBits({ width, height, steps });
  const block = new Float64Array(side * side);
  const values = new Int16Array(side * side);
  for (let top = 0; top < height; top += side) {
    for (let left = 0; left < width; left += side) {
      const at = top * width + left;
      const isPlain = isOneColour(colours, { at, width });
      for (const [component, shares] of components.entries()) {
        // A plain square has one frequency only: eight times its colour.
        const used = isPlain ? 1 : block.length;
        readComponent(pixels, { at, width, shares, samples: used }, block);
        if (isPlain) block[0] = (block[0] ?? 0) * side;
        else transform(block);
        for (let n = 0; n < used; n++) values[n] = Math.round((block[zigzag[n] ?? 0] ?? 0) / (steps[n] ?? 1));
        bits.putBlock(component, values.subarray(0, used));
      }
    }
  }
  return bits.end();
}

function isOneColour(colours: Uint32Array, { at, width }: { at: number; width: number }): boolean {
  const first = colours[at];
  for (let row = at; row < at + side * width; row += width) {
    for (let n = row; n < row + side; n++) if (colours[n] !== first) return false;
  }
  return true;
}

function readComponent(
  pixels: Buffer,
  { at, width, shares, samples }: { at: number; width: number; shares: (typeof components)[number]; samples: number },
  block: Float64Array,
): void {
  const [red, green, blue, more] = shares;
  for (let n = 0; n < samples; n++) {
    const from = (at + rowOf(n) * width + columnOf(n)) * 4;
    block[n] = red * (pixels[from] ?? 0) + green * (pixels[from + 1] ?? 0) + blue * (pixels[from + 2] ?? 0) + more;
  }
}

const halfway = new Float64Array(side * side);

/** Samples into frequencies, first along the rows, then along the columns (ITU-T T.81, A.3.3). */
function transform(block: Float64Array): void {
  for (const [from, to] of [
    [block, halfway],
    [halfway, block],
  ] as const) {
    for (let line = 0; line < side; line++) {
      for (let frequency = 0; frequency < side; frequency++) {
        let sum = 0;
        for (let n = 0; n < side; n++) sum += (cosines[frequency * side + n] ?? 0) * (from[line * side + n] ?? 0);
        // Turned over, so that the second pass takes the columns and turns it back.
        to[frequency * side + line] = sum;
      }
    }
  }
}
