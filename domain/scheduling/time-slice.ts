/*
 * How long work in this process lets others wait: slices of it here, the share of one search in search-time-slice, its end in deadline.
 */

/**
 * How long work goes on that others need not wait for, in milliseconds. A search comes to the processor a dozen times, and may
 * find such work there each time.
 */
export const besideOthersMs = 1;

/** How long one search goes on while others wait: longer, so that those that began first are answered first. */
export const oneSearchMs = 8;

/** A stretch of long work. When it is over, whatever has come meanwhile is let in before the next one. */
export class TimeSlice {
  readonly #ms: number;
  #fromMs = performance.now();

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Asked between one piece of work and the next: cheap beside anything that takes microseconds. */
  get isOver(): boolean {
    return performance.now() - this.#fromMs >= this.#ms;
  }

  /** Waits until others were let in. */
  async next(): Promise<void> {
    await new Promise(setImmediate);
    this.#fromMs = performance.now();
  }
}
