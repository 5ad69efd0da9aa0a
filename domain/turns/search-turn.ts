import { setTimeout as wait } from 'node:timers/promises';
import { oneSearchMs } from './turn.ts';

/** After so much work of its own a piece is a long one; an ordinary search has ended before, however many others it waited for. */
const longAfterMs = 25;
/** A long one goes on for so long while other networks search, and rests five times as long: they have most of the processor. */
const longMs = 2;
const restMs = 10;

/** For whom searches are under way, and how many for each. Whoever is alone rests for nobody: their own searches would only wait. */
const underWayFor = new Map<string, number>();

/** Does the work of a search, and counts it as under way for `asker`, so that long ones of others step back. */
export async function underWay<T>(asker: string, work: () => Promise<T>): Promise<T> {
  underWayFor.set(asker, (underWayFor.get(asker) ?? 0) + 1);
  try {
    return await work();
  } finally {
    const left = (underWayFor.get(asker) ?? 1) - 1;
    if (left > 0) underWayFor.set(asker, left);
    else underWayFor.delete(asker);
  }
}

/** A stretch of a search's work. When it is over, whatever has come meanwhile gets its turn; what takes long steps back behind those of others. */
export class SearchTurn {
  #workedMs = 0;
  #fromMs = performance.now();

  /** Asked between one piece of work and the next. */
  get isOver(): boolean {
    const now = performance.now();
    return now - this.#fromMs >= (this.#stepsBack(now) ? longMs : oneSearchMs);
  }

  /** Waits until others had their turn. */
  async next(): Promise<void> {
    const now = performance.now();
    const stepsBack = this.#stepsBack(now);
    this.#workedMs += now - this.#fromMs;
    if (stepsBack) await wait(restMs);
    else await new Promise(setImmediate);
    this.#fromMs = performance.now();
  }

  #stepsBack(now: number): boolean {
    return underWayFor.size > 1 && this.#workedMs + now - this.#fromMs >= longAfterMs;
  }
}
