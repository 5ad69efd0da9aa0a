import type { SearchWork } from './search-time-slice.ts';
import { SearchTimeout } from './search-timeout.ts';

/** When work has to end. Long work asks between one piece and the next, so that it goes on for nobody who has had their answer. */
export class Deadline {
  /** What was worked until now. */
  readonly work: SearchWork;
  readonly #atMs: number;
  readonly #now: () => number;

  constructor(ms: number, now: () => number = () => performance.now(), work: SearchWork = { workedMs: 0 }) {
    this.#now = now;
    this.work = work;
    this.#atMs = now() + ms;
  }

  get isOver(): boolean {
    return this.#now() >= this.#atMs;
  }

  /** Throws `SearchTimeout` when it is. */
  check(): void {
    if (this.isOver) throw new SearchTimeout();
  }
}
