/*
 * Numbers that are mostly small: one byte each, and where that is 255 the number stands in the four bytes behind it, little endian.
 */

const longMark = 255;
const longBytes = 5;

/** The number that begins here. */
export function numberAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first !== longMark) return first;
  return (bytes[at + 1] ?? 0) | ((bytes[at + 2] ?? 0) << 8) | ((bytes[at + 3] ?? 0) << 16) | ((bytes[at + 4] ?? 0) << 24);
}

/** How many bytes it takes. */
export function bytesOfNumber(bytes: Uint8Array, at: number): number {
  return bytes[at] === longMark ? longBytes : 1;
}

/** Bytes that only grow, and are used again for what comes next. */
export class GrowingBytes {
  bytes = new Uint8Array(1 << 16);
  length = 0;

  put(byte: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length++] = byte;
  }

  putNumber(value: number): void {
    this.put(Math.min(value, longMark));
    if (value >= longMark) for (let shift = 0; shift < 32; shift += 8) this.put((value >>> shift) & 255);
  }
}
