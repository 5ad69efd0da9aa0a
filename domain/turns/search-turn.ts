import { setTimeout as wait } from 'node:timers/promises';
import { oneSearchMs } from './turn.ts';

/** From then on a piece of work is a long one; an ordinary search has ended before. */
const longAfterMs = 25;
/** A long one goes on for so long while others search, and rests five times as long: they have most of the processor. */
const longMs = 2;
const restMs = 10;

let searchesUnderWay = 0;

/** Does the work of a search, and counts it as under way for the turns of others. */
export async function underWay<T>(work: () => Promise<T>): Promise<T> {
  searchesUnderWay++;
  try {
    return await work();
  } finally {
    searchesUnderWay--;
  }
}

/** A stretch of a search's work. When it is over, whatever has come meanwhile gets its turn; what takes long steps back behind other searches. */
export class SearchTurn {
  readonly #beganMs = performance.now();
  #fromMs = this.#beganMs;

  /** Asked between one piece of work and the next. */
  get isOver(): boolean {
    const now = performance.now();
    return now - this.#fromMs >= (this.#stepsBack(now) ? longMs : oneSearchMs);
  }

  /** Waits until others had their turn. */
  async next(): Promise<void> {
    if (this.#stepsBack(performance.now())) await wait(restMs);
    else await new Promise(setImmediate);
    this.#fromMs = performance.now();
  }

  #stepsBack(now: number): boolean {
    return searchesUnderWay > 1 && now - this.#beganMs >= longAfterMs;
  }
}
