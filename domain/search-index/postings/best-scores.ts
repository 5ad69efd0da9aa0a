/** The highest of many scores, so many of them: a heap, the lowest on top. */
export class BestScores {
  readonly #scores: Float64Array;
  #count = 0;

  constructor(limit: number) {
    this.#scores = new Float64Array(limit);
  }

  /** The lowest of them: 0 while there are not so many. */
  get least(): number {
    return this.#count < this.#scores.length ? 0 : (this.#scores[0] ?? 0);
  }

  /** Takes a score, which is above 0; nearly all of many are refused at once. */
  offer(score: number): void {
    if (this.#count < this.#scores.length) this.#rise(this.#count++, score);
    else if (score > this.least) this.#sink(score);
  }

  /** Puts a score where `free` is, or above it. */
  #rise(free: number, score: number): void {
    const scores = this.#scores;
    let at = free;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((scores[above] ?? 0) <= score) break;
      scores[at] = scores[above] ?? 0;
      at = above;
    }
    scores[at] = score;
  }

  /** Puts a score in the place of the lowest. */
  #sink(score: number): void {
    const scores = this.#scores;
    let at = 0;
    for (let below = 1; below < this.#count; below = 2 * at + 1) {
      const least = below + 1 < this.#count && (scores[below + 1] ?? 0) < (scores[below] ?? 0) ? below + 1 : below;
      if ((scores[least] ?? 0) >= score) break;
      scores[at] = scores[least] ?? 0;
      at = least;
    }
    scores[at] = score;
  }
}
