/** How many films of common length have room at first. */
const filmsAtFirst = 4;
/** What is said in half an hour. */
export const codesOfFilm = 8_192;

/**
 * Where films that are read stand in memory. Whoever looks at a thousand of them, some at a time, clears it in between: to ask for memory
 * for each takes as long as to match it.
 */
export class FilmRoom {
  #codes = new Int32Array(0);
  #used = 0;

  /** Room for so many codes, behind the films that stand there. */
  free(count: number): Int32Array<ArrayBuffer> {
    if (this.#codes.length - this.#used < count) {
      // Films that stand in the room of before keep it.
      this.#codes = new Int32Array(Math.max(count, this.#codes.length * 2, filmsAtFirst * codesOfFilm));
      this.#used = 0;
    }
    return this.#codes.subarray(this.#used, this.#used + count);
  }

  /** Keeps the first codes of what was free. */
  take(count: number): void {
    this.#used += count;
  }

  /** Makes everything free again: the films that stand there are gone. */
  clear(): void {
    this.#used = 0;
  }
}
