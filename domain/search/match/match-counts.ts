import type { MomentMatch } from './moment-match.ts';

/** How many matches of each kind there are; a kind without any is left out. */
export type MatchCounts = Readonly<Partial<Record<MomentMatch['kind'], number>>>;

/** Counts matches by their kind. */
export function countByKind(matches: Iterable<{ readonly kind: MomentMatch['kind'] }>): MatchCounts {
  const counts: Partial<Record<MomentMatch['kind'], number>> = {};
  for (const { kind } of matches) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** All of them together. */
export function totalOf(counts: MatchCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
