import type { SentenceEncoder } from './encoder/choose-encoder.ts';

/**
 * The signs of vectors, a bit for each number. Beside a vector as it is they tell as well what is near to it as the numbers themselves, and
 * take a thirtieth of the room.
 */
export function signsOf(vectors: readonly Float32Array[]): Buffer {
  const bytes = bytesOf(vectors[0]);
  const signs = Buffer.alloc(vectors.length * bytes);
  for (const [row, vector] of vectors.entries())
    for (const [n, value] of vector.entries()) {
      const at = row * bytes + (n >> 3);
      if (value > 0) signs[at] = (signs[at] ?? 0) | (1 << (n & 7));
    }
  return signs;
}

/** Bytes of the signs of a vector. */
function bytesOf(vector: Float32Array = new Float32Array()): number {
  return Math.ceil(vector.length / 8);
}

const byteValues = 256;

/** Tells how near the vectors with these signs are to one vector: about 1 for the same meaning, 0 for another. */
export class Nearness {
  /** What each byte of signs adds. */
  readonly #ofBytes: Float32Array;
  readonly #signBytes: number;
  readonly #scale: NearnessScale | null;

  constructor(vector: Float32Array, scale: NearnessScale | null) {
    this.#scale = scale;
    this.#signBytes = bytesOf(vector);
    this.#ofBytes = new Float32Array(this.#signBytes * byteValues);
    const length = vector.reduce((sum, number) => sum + Math.abs(number), 0);
    for (let byte = 0; byte < this.#signBytes; byte++)
      for (let value = 0; value < byteValues; value++) {
        let sum = 0;
        for (let bit = 0; bit < 8; bit++) sum += ((value >> bit) & 1 ? 1 : -1) * (vector[byte * 8 + bit] ?? 0);
        this.#ofBytes[byte * byteValues + value] = sum / length;
      }
  }

  /** Of each vector whose signs stand in `signs`, one behind the other. */
  of(signs: Uint8Array): Float32Array {
    const near = new Float32Array(signs.length / this.#signBytes);
    for (let row = 0, at = 0; row < near.length; row++) {
      let sum = 0;
      for (let byte = 0; byte < this.#signBytes; byte++) sum += this.#ofBytes[byte * byteValues + (signs[at++] ?? 0)] ?? 0;
      near[row] = sum;
    }
    const scale = this.#scale;
    return scale ? near.map((value) => builtInScale.mean + ((value - scale.mean) * builtInScale.deviation) / scale.deviation) : near;
  }
}

/** How near texts are to each other that have nothing in common. */
export interface NearnessScale {
  readonly mean: number;
  readonly deviation: number;
}

/** Of the archive's own encoder, by which search weighs what is near; measured on the lines below. */
const builtInScale: NearnessScale = { mean: 0.157, deviation: 0.105 };

const strangers = [
  'We met in front of the old theatre.',
  'The engine needs two litres of oil.',
  'She never answered any of my letters.',
  'Prices of wheat fell for the third year.',
  'The patient was sent home on Friday.',
  'A goal in the last minute decided it.',
  'He plays the cello in a small orchestra.',
  'The law was changed after the strike.',
  'Snow closed the pass until April.',
  'Cells divide much faster than that.',
  'They painted the kitchen yellow.',
  'The satellite passes over us every night.',
];

/** Of any encoder, so that what it tells can be brought to the scale of the archive's own: some find everything near. */
export async function measureScale({ encode }: SentenceEncoder): Promise<NearnessScale> {
  const [asked, said] = [await encode(strangers, 'query'), await encode(strangers)];
  const signs = signsOf(said);
  const near = asked.flatMap((vector, n) => [...new Nearness(vector, null).of(signs)].filter((_, other) => other !== n));
  const mean = near.reduce((sum, value) => sum + value, 0) / near.length;
  const deviation = Math.sqrt(near.reduce((sum, value) => sum + (value - mean) ** 2, 0) / near.length);
  return { mean, deviation: Math.max(1e-3, deviation) };
}

/** Of vectors of length 1. */
export function cosineOf(one: Float32Array = new Float32Array(), other: Float32Array = new Float32Array()): number {
  return one.reduce((sum, value, n) => sum + value * (other[n] ?? 0), 0);
}
