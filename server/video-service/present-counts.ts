import { isMatchKind } from '#contract/match-kinds.ts';

/** How many matches of each kind there are, as everybody is told; only kinds that the service knows. */
export function presentCounts(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([kind]) => isMatchKind(kind) || kind === 'Description'));
}
