import type { SearchPlan } from '../query/search-plan.ts';
import { ofPassage } from '../weights.ts';
import type { WordHit } from './find-word-hits.ts';

/**
 * What asked words beside each other, in their order, add to the line in which they begin. `from` and `to`: the numbers of its hits among
 * all of them, which are in order. Each pair counts once, where it stands closest.
 */
export function weighAdjacency(hits: readonly WordHit[], plan: SearchPlan, { from, to }: { from: number; to: number }): number {
  if (plan.concepts.length === 1) return 0;
  const best = new Map<number, number>();
  for (let n = from; n < to; n++) {
    const hit = hits[n];
    for (let m = n + 1; hit && m < hits.length; m++) {
      const next = hits[m];
      if (!next || next.from - hit.to >= ofPassage.sideBySide.length) break;
      if (next.concept !== hit.concept + 1 || next.from < hit.to) continue;
      const weights = (plan.concepts[hit.concept]?.weight ?? 0) + (plan.concepts[next.concept]?.weight ?? 0);
      const value = weights * (ofPassage.sideBySide[next.from - hit.to] ?? 0) * hit.fit * next.fit;
      best.set(hit.concept, Math.max(best.get(hit.concept) ?? 0, value));
    }
  }
  return best.values().reduce((sum, value) => sum + value, 0);
}
