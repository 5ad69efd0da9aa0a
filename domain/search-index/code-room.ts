/** What is said in half an hour. */
export const codesOfFilm = 8_192;
/** Four films of common length. */
const codesAtFirst = 4 * codesOfFilm;

/**
 * Where codes that are read for a while stand in memory. Whoever looks at a thousand films, some at a time, clears it in between: to ask
 * for memory for each film or row takes as long as to match it.
 */
export class CodeRoom {
  #codes = new Int32Array(0);
  #used = 0;

  /** Room for so many codes, behind those that stand there. */
  free(count: number): Int32Array<ArrayBuffer> {
    if (this.#codes.length - this.#used < count) {
      // What stands in the room of before keeps it.
      this.#codes = new Int32Array(Math.max(count, this.#codes.length * 2, codesAtFirst));
      this.#used = 0;
    }
    return this.#codes.subarray(this.#used, this.#used + count);
  }

  /** Keeps the first codes of what was free. */
  take(count: number): void {
    this.#used += count;
  }

  /** Makes everything free again: what stands there is gone. */
  clear(): void {
    this.#used = 0;
  }
}
