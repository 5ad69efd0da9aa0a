import { type MatchKind, matchKinds } from '#contract/match-kinds.ts';
import type { IconName } from '#web/ui/icon.tsx';

/** The icon of a kind of match; the compiler holds the contract's names to the registered ones. */
export function kindIconOf(kind: MatchKind): IconName {
  return matchKinds[kind].icon;
}
