import type { MatchKind } from '#contract/match-kinds.ts';
import type { TextRange } from '#contract/video-service/answers.ts';

/** A place in a video that answers a query. */
export interface MomentMatch {
  readonly kind: MatchKind | 'Description';
  /** Milliseconds from the start of the video; 0 for what has no time. */
  readonly startMs: number;
  /** Whether that is reckoned by the letters of a long line whose words have no times. */
  readonly isEstimated?: true;
  /** Whether the moment has a time, or belongs to the video as a whole. */
  readonly isTimed: boolean;
  /** The whole line as it stands in the footage; both lines when the words cross from one to the next. */
  readonly text: string;
  /** The stretches of `text` that matched, in order; none touches another. */
  readonly ranges: readonly TextRange[];
  readonly score: number;
  /** The numbers of the lines that `text` shows, where it is what was said or written. */
  readonly lines?: readonly number[];
  /** Their numbers among all lines of their kind, from 1. */
  readonly ofKind?: readonly number[];
  /** Said as a recogniser heard it that is mostly wrong. */
  readonly isRough?: true;
  /** It means what was asked, in other words: nothing of it is marked. */
  readonly isByMeaning?: boolean;
  /** In suggestions: the number of videos that carry this name. */
  readonly videos?: number;
}

/** The first of each list, then the second of each, and so on. */
export function mergeRoundRobin(...lists: readonly (readonly MomentMatch[])[]): MomentMatch[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat();
}

/** How a person, label or brand is told from others. */
export function nameKey(kind: MomentMatch['kind'], name: string): string {
  return `${kind} ${name}`;
}
