import { limits } from '#contract/limits.ts';
import type { Moment } from './moment.ts';

/** How far people are with what is said in a film, in lines. */
export interface LineCounts {
  readonly lines: number;
  /** By a machine. */
  readonly heard: number;
  /** Corrected or confirmed by somebody. */
  readonly looked: number;
  readonly doubtful: number;
}

/** A machine was not sure of it, and nobody has looked at it. */
export function isDoubtful({ source, review, isRough, confidencePercent }: Moment): boolean {
  return source === 'machine' && !review && (isRough === true || confidencePercent < limits.doubtfulBelowPercent);
}

/** Counts what is said, and what of it people have looked at. */
export function countLines(moments: readonly Moment[]): LineCounts {
  const spoken = moments.filter(({ kind }) => kind === 'Transcript');
  return {
    lines: spoken.length,
    heard: spoken.filter(({ source }) => source === 'machine').length,
    looked: spoken.filter(({ review }) => review).length,
    doubtful: spoken.filter(isDoubtful).length,
  };
}
