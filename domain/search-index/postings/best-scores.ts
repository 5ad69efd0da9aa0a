/** The highest of many scores, so many of them. */
export class BestScores {
  /** From the lowest to the highest. */
  readonly #scores: Float64Array;

  constructor(limit: number) {
    this.#scores = new Float64Array(limit);
  }

  /** The lowest of them: 0 while there are not so many. */
  get least(): number {
    return this.#scores[0] ?? 0;
  }

  /** Takes a score, which is above 0; nearly all of many are refused at once. */
  offer(score: number): void {
    const scores = this.#scores;
    if (score <= this.least) return;
    let [low, high] = [1, scores.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((scores[middle] ?? 0) < score) low = middle + 1;
      else high = middle;
    }
    scores.copyWithin(0, 1, low);
    scores[low - 1] = score;
  }
}
