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
export class JpegBits {
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
