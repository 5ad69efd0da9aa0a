import { dimensions } from './encoder/universal-sentence-encoder.ts';

/** Bytes of the signs of a vector. */
const signBytes = dimensions / 8;

/**
 * The signs of vectors, a bit for each number. Beside a vector as it is they tell as well what is near to it as the numbers themselves, and
 * take a thirtieth of the room.
 */
export function signsOf(vectors: readonly Float32Array[]): Buffer {
  const signs = Buffer.alloc(vectors.length * signBytes);
  for (const [row, vector] of vectors.entries())
    for (let n = 0; n < dimensions; n++) {
      const at = row * signBytes + (n >> 3);
      if ((vector[n] ?? 0) > 0) signs[at] = (signs[at] ?? 0) | (1 << (n & 7));
    }
  return signs;
}

const byteValues = 256;

/** Tells how near the vectors with these signs are to one vector: about 1 for the same meaning, 0 for another. */
export class Nearness {
  /** What each byte of signs adds. */
  readonly #ofBytes = new Float32Array(signBytes * byteValues);

  constructor(vector: Float32Array) {
    const length = vector.reduce((sum, number) => sum + Math.abs(number), 0);
    for (let byte = 0; byte < signBytes; byte++)
      for (let value = 0; value < byteValues; value++) {
        let sum = 0;
        for (let bit = 0; bit < 8; bit++) sum += ((value >> bit) & 1 ? 1 : -1) * (vector[byte * 8 + bit] ?? 0);
        this.#ofBytes[byte * byteValues + value] = sum / length;
      }
  }

  /** Of each vector whose signs stand in `signs`, one behind the other. */
  of(signs: Uint8Array): Float32Array {
    const near = new Float32Array(signs.length / signBytes);
    for (let row = 0, at = 0; row < near.length; row++) {
      let sum = 0;
      for (let byte = 0; byte < signBytes; byte++) sum += this.#ofBytes[byte * byteValues + (signs[at++] ?? 0)] ?? 0;
      near[row] = sum;
    }
    return near;
  }
}
