import type { SearchPlan } from '../query/search-plan.ts';
import { ofPassage } from '../weights.ts';
import type { WordHits } from './word-hits.ts';

/** Some hits of a list: from one number to the one before another. */
export interface HitRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What asked words beside each other, in their order, add to the line in which they begin. `from` and `to`: the numbers of its hits among
 * all of them, which are in order and end before `end`. Each pair counts once, where it stands closest.
 */
export function weighAdjacency(hits: WordHits, plan: SearchPlan, { from, to, end = hits.length }: HitRange & { end?: number }): number {
  if (plan.concepts.length === 1) return 0;
  let best: Map<number, number> | undefined;
  for (let n = from; n < to; n++) {
    const [concept, hitEnd] = [hits.concept(n), hits.to(n)];
    for (let m = n + 1; m < end; m++) {
      const between = hits.from(m) - hitEnd;
      if (between >= ofPassage.sideBySide.length) break;
      if (hits.concept(m) !== concept + 1 || between < 0) continue;
      const weights = (plan.concepts[concept]?.weight ?? 0) + (plan.concepts[concept + 1]?.weight ?? 0);
      const value = weights * (ofPassage.sideBySide[between] ?? 0) * hits.fit(n) * hits.fit(m);
      best ??= new Map();
      best.set(concept, Math.max(best.get(concept) ?? 0, value));
    }
  }
  return best?.values().reduce((sum, value) => sum + value, 0) ?? 0;
}
