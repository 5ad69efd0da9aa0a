import type { SearchOrder } from '#contract/narrowing.ts';
import { videosMax } from '../rank/ranking.ts';
import { countOfKinds, fitsNarrowing, type Narrowed, type Narrowing } from './narrowing.ts';

/** What an order and the filters need of a video. */
export interface SurveyedVideo extends Narrowed {
  readonly id: string;
  readonly createdMs: number;
}

/** The best videos of an answer, best first, each with what it is narrowed and counted by. */
export interface Survey {
  readonly videos: readonly SurveyedVideo[];
  /** Whether these are all videos of the answer. */
  readonly isAll: boolean;
  /** How many videos of the ranking were looked at. */
  readonly ranked: number;
}

/** A survey, and the time as of which it was made. */
export interface CachedSurvey extends Survey {
  readonly createdBefore: Date;
}

/** Words found in them after which it looks at no more: thirty frequent words would take ten times as long as one. */
export const surveyedHitsMax = 100_000;

/** About what the largest one takes in memory; how large one becomes is known only when it is there, and it is shared before. */
export const surveyBytes = 600 * videosMax;

/** The ids of the surveyed videos that a narrowing leaves, in its order. What is equal stays in the order of the ranking. */
export function arrangeSurvey({ videos }: Survey, narrowing: Narrowing): string[] {
  const measures: Record<SearchOrder, ((video: SurveyedVideo) => number) | undefined> = {
    best: undefined,
    // By when it came into the archive, as on the home page: when it was recorded is often unknown, or known by its year alone.
    newest: ({ createdMs }) => createdMs,
    longest: ({ durationInSeconds }) => durationInSeconds,
    moments: ({ counts }) => countOfKinds(counts, narrowing.kinds),
  };
  const measure = measures[narrowing.sort ?? 'best'];
  const left = videos.filter(fitsNarrowing(narrowing));
  return (measure ? left.toSorted((a, b) => measure(b) - measure(a)) : left).map(({ id }) => id);
}
