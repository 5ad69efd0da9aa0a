import { limits } from '#contract/limits.ts';

/** What is said in half an hour. */
export const codesOfFilm = 8_192;
/** Films of more than common length fit as well. */
const spare = 1.25;

/**
 * Where codes that are read for a while stand in memory. Whoever looks at a thousand films, some at a time, clears it in between: to ask
 * for memory for each film or row takes as long as to match it.
 */
export class CodeRoom {
  readonly #codesAtFirst: number;
  #codes = new Int32Array(0);
  #used = 0;

  /** `codes`: about how many will stand there at a time. Room that grows is asked for again and again, and all of it counts until it is collected. */
  constructor(codes: number = 4 * codesOfFilm) {
    this.#codesAtFirst = codes;
  }

  /** Room for so many films at a time. */
  static ofFilms(films: number): CodeRoom {
    return new CodeRoom(Math.ceil(films * codesOfFilm * spare));
  }

  /** Room for so many codes, behind those that stand there. */
  free(count: number): Int32Array<ArrayBuffer> {
    if (this.#codes.length - this.#used < count) {
      // Earlier views keep the old buffer alive.
      this.#codes = new Int32Array(Math.max(count, this.#codes.length * 2, this.#codesAtFirst));
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

  /** How many codes have room. */
  get size(): number {
    return this.#codes.length;
  }
}

/** Codes in all rooms that wait for later searches: 32 MB. The widest window of a ranking takes 4, a survey twice 2. */
const cachedCodesMax = 1 << 23;

/**
 * Rooms that are used by one search after the other. Memory that each asked for anew would have all garbage collected whenever 64 MB of it
 * came together, which is every few searches.
 */
export class CodeRooms {
  readonly #free: CodeRoom[] = [];

  /** Does something with a room of its own; what stands there is gone afterwards. */
  async use<T>(work: (room: CodeRoom) => Promise<T>): Promise<T> {
    const room = this.#free.pop() ?? CodeRoom.ofFilms(limits.searchPageSize);
    const done = await work(room);
    // Where it failed, a part of it may still be under way in there: such a room is nobody's any more.
    room.clear();
    if (this.#free.reduce((sum, { size }) => sum + size, room.size) <= cachedCodesMax) this.#free.push(room);
    return done;
  }
}
