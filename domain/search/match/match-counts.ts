import type { MomentMatch } from './moment-match.ts';

/** How many matches of each kind there are; a kind without any is left out. */
export type MatchCounts = Readonly<Partial<Record<MomentMatch['kind'], number>>>;

/** Counts matches by their kind. */
export function countByKind(matches: Iterable<{ readonly kind: MomentMatch['kind'] }>): MatchCounts {
  const counts: Partial<Record<MomentMatch['kind'], number>> = {};
  for (const { kind } of matches) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Both counts together; `share` -1 takes the others away. */
export function addCounts(counts: MatchCounts, others: MatchCounts, share: 1 | -1 = 1): MatchCounts {
  const sums: Record<string, number> = { ...counts };
  for (const [kind, count] of Object.entries(others)) sums[kind] = (sums[kind] ?? 0) + share * count;
  return Object.fromEntries(Object.entries(sums).filter(([, count]) => count > 0));
}

/** All of them together. */
export function totalOf(counts: MatchCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
