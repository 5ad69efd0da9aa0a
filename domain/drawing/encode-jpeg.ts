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

/** Codes of each length from 1 to 16 bits, and what they stand for, in order (ITU-T T.81, tables K.3 and K.5). */
const sizeCodes = { lengths: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };
/** A number of zeros before a value, times 16, and the size of the value: these are frequent. All others have 16 bits. */
const frequentRuns = Buffer.from('010203000411051221314106135161072271143281' + '91a1082342b1c11552d1f02433627282', 'hex');
const everyRun = Array.from({ length: 16 * 10 }, (_, n) => Math.floor(n / 10) * 16 + 1 + (n % 10));
const runCodes = {
  lengths: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
  values: [...frequentRuns, ...everyRun.filter((run) => !frequentRuns.includes(run))],
};
const [blockEnd, sixteenZeros] = [0x00, 0xf0];

interface Code {
  readonly bits: number;
  readonly length: number;
}

const [sizes, runs] = [codesOf(sizeCodes), codesOf(runCodes)];

/** Codes grow by one within a length, and by a zero bit from one length to the next (C.2). */
function codesOf({ lengths, values }: { lengths: readonly number[]; values: readonly number[] }): ReadonlyMap<number, Code> {
  const codes = new Map<number, Code>();
  let bits = 0;
  for (const [n, count] of lengths.entries()) {
    for (let left = count; left > 0; left--) codes.set(values[codes.size] ?? 0, { bits: bits++, length: n + 1 });
    bits *= 2;
  }
  return codes;
}

/** The file of a baseline JPEG of three components that share their tables, written block by block. */
class JpegBits {
  #bytes = Buffer.alloc(32_768);
  #length = 0;
  #waiting = 0;
  #waitingLength = 0;
  readonly #levels = [0, 0, 0];

  /** `steps` of the quantisation, from the lowest frequency to the highest. */
  constructor({ width, height, steps }: { width: number; height: number; steps: Uint8Array }) {
    const components = [1, 2, 3];
    this.#put(0xff, 0xd8);
    this.#segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]);
    this.#segment(0xdb, [0, ...steps]);
    this.#segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 3, ...components.flatMap((id) => [id, 0x11, 0])]);
    this.#segment(0xc4, [0x00, ...sizeCodes.lengths, ...sizeCodes.values, 0x10, ...runCodes.lengths, ...runCodes.values]);
    this.#segment(0xda, [3, ...components.flatMap((id) => [id, 0x00]), 0, 63, 0]);
  }

  /** Puts down the quantised values of a component's block, from the lowest frequency to the highest; those that lack of 64 are 0 (F.1.2). */
  putBlock(component: number, values: Int16Array): void {
    const level = values[0] ?? 0;
    this.#putValue(sizes, { zeros: 0, value: level - (this.#levels[component] ?? 0) });
    this.#levels[component] = level;
    let zeros = 0;
    for (let place = 1; place < values.length; place++) {
      const value = values[place] ?? 0;
      if (value === 0) zeros++;
      else {
        for (; zeros > 15; zeros -= 16) this.#putCode(runs, sixteenZeros);
        this.#putValue(runs, { zeros, value });
        zeros = 0;
      }
    }
    if (zeros > 0 || values.length < 64) this.#putCode(runs, blockEnd);
  }

  /** The whole file. */
  end(): Buffer {
    // The last byte is filled up with ones.
    this.#putBits({ bits: 0x7f, length: 7 });
    this.#put(0xff, 0xd9);
    return this.#bytes.subarray(0, this.#length);
  }

  #segment(marker: number, content: readonly number[]): void {
    const length = content.length + 2;
    this.#put(0xff, marker, length >> 8, length & 255, ...content);
  }

  #putValue(codes: ReadonlyMap<number, Code>, { zeros, value }: { zeros: number; value: number }): void {
    const size = 32 - Math.clz32(Math.abs(value));
    this.#putCode(codes, zeros * 16 + size);
    // Below zero its bits are those of the next lower number.
    this.#putBits({ bits: (value < 0 ? value - 1 : value) & ((1 << size) - 1), length: size });
  }

  #putCode(codes: ReadonlyMap<number, Code>, value: number): void {
    const code = codes.get(value);
    if (!code) throw new Error(`A JPEG has no code for ${value}.`);
    this.#putBits(code);
  }

  #putBits({ bits, length }: Code): void {
    this.#waiting = (this.#waiting << length) | bits;
    this.#waitingLength += length;
    while (this.#waitingLength >= 8) {
      this.#waitingLength -= 8;
      this.#putByte((this.#waiting >> this.#waitingLength) & 255);
    }
    this.#waiting &= (1 << this.#waitingLength) - 1;
  }

  #putByte(byte: number): void {
    if (this.#length + 4 > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    this.#bytes[this.#length++] = byte;
    // A zero behind it tells that it begins no marker.
    if (byte === 255) this.#bytes[this.#length++] = 0;
  }

  /** What comes before the blocks, for which there is room at the beginning, or after them, for which two bytes are left. */
  #put(...bytes: readonly number[]): void {
    for (const byte of bytes) this.#bytes[this.#length++] = byte;
  }
}
