import { setTimeout as wait } from 'node:timers/promises';
import { oneSearchMs } from './time-slice.ts';

/** After so much work of its own a piece is a long one; an ordinary search has ended before, however many others it waited for. */
const longAfterMs = 25;
/** A long one goes on for so long while other networks search, and rests five times as long: they have most of the processor. */
const longMs = 2;
const restMs = 10;

/** What was worked lately is forgotten by half in so long. */
const forgottenHalfInMs = 500;

/** What a search has worked in all of its stages, in milliseconds. One that took long in one of them is a long one in the next. */
export interface SearchWork {
  workedMs: number;
}

/** For whom searches are under way, and how many for each. Whoever is alone rests for nobody: their own searches would only wait. */
const underWayFor = new Map<string, number>();
/** What long searches of each asker have worked, as it was at that time. */
const workedLately = new Map<string, { readonly ms: number; readonly atMs: number }>();

/**
 * Does a search for `asker`, and counts it as under way, so that long ones of others step back. It begins with what the asker's long
 * searches have worked lately: one after the other they are as long as one.
 */
export async function runSearchFor<T>(asker: string, search: (work: SearchWork) => Promise<T>): Promise<T> {
  underWayFor.set(asker, (underWayFor.get(asker) ?? 0) + 1);
  const before = recentWorkOf(asker);
  const work = { workedMs: before };
  try {
    return await search(work);
  } finally {
    const left = (underWayFor.get(asker) ?? 1) - 1;
    if (left > 0) underWayFor.set(asker, left);
    else underWayFor.delete(asker);
    if (work.workedMs > before) workedLately.set(asker, { ms: recentWorkOf(asker) + work.workedMs - before, atMs: performance.now() });
    for (const other of workedLately.keys()) if (recentWorkOf(other) < 1) workedLately.delete(other);
  }
}

function recentWorkOf(asker: string): number {
  const { ms, atMs } = workedLately.get(asker) ?? { ms: 0, atMs: 0 };
  return ms * 0.5 ** ((performance.now() - atMs) / forgottenHalfInMs);
}

/** A stretch of a search's work. When it is over, whatever has come meanwhile is let in; what takes long steps back behind those of others. */
export class SearchTimeSlice {
  readonly #work: SearchWork;
  #fromMs = performance.now();

  constructor(work: SearchWork = { workedMs: 0 }) {
    this.#work = work;
  }

  /** Asked between one piece of work and the next. */
  get isOver(): boolean {
    const now = performance.now();
    return now - this.#fromMs >= (this.#stepsBack(now) ? longMs : oneSearchMs);
  }

  /** Waits until others were let in. */
  async next(): Promise<void> {
    const now = performance.now();
    const stepsBack = this.#stepsBack(now);
    this.#work.workedMs += now - this.#fromMs;
    if (stepsBack) await wait(restMs);
    else await new Promise(setImmediate);
    this.#fromMs = performance.now();
  }

  #stepsBack(now: number): boolean {
    return underWayFor.size > 1 && this.#work.workedMs + now - this.#fromMs >= longAfterMs;
  }
}
