import type { SearchPlan } from '../query/search-plan.ts';
import { ofPassage } from '../weights.ts';
import type { WordHits } from './word-hits.ts';

/** Some hits of a list: from one number to the one before another. */
export interface HitRange {
  readonly from: number;
  readonly to: number;
}

/** Weighs asked words that stand beside each other in their order, in one line after the other. */
export class Adjacency {
  readonly #plan: SearchPlan;
  /** The best of each concept and the one behind it, in the line that is looked at. */
  readonly #best: Float64Array;

  constructor(plan: SearchPlan) {
    this.#plan = plan;
    this.#best = new Float64Array(plan.concepts.length);
  }

  /**
   * What they add to the line in which they begin, whose hits `from` and `to` number among all of them; these are in order, and those
   * before `end` count. Each pair counts once, where it stands closest.
   */
  weigh(hits: WordHits, { from, to }: HitRange, end = hits.length): number {
    const { concepts } = this.#plan;
    if (concepts.length === 1) return 0;
    const best = this.#best;
    let hasPairs = false;
    for (let n = from; n < to; n++) {
      const [concept, hitEnd] = [hits.concept(n), hits.to(n)];
      for (let m = n + 1; m < end; m++) {
        const between = hits.from(m) - hitEnd;
        if (between >= ofPassage.sideBySide.length) break;
        if (hits.concept(m) !== concept + 1 || between < 0) continue;
        const weights = (concepts[concept]?.weight ?? 0) + (concepts[concept + 1]?.weight ?? 0);
        const value = weights * (ofPassage.sideBySide[between] ?? 0) * hits.fit(n) * hits.fit(m);
        if (!hasPairs) best.fill(0);
        hasPairs = true;
        best[concept] = Math.max(best[concept] ?? 0, value);
      }
    }
    let sum = 0;
    if (hasPairs) for (const value of best) sum += value;
    return sum;
  }
}
