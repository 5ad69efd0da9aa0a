import type { Narrowed } from './narrowing.ts';

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
export interface KeptSurvey extends Survey {
  readonly createdBefore: Date;
}

/** Videos that a survey looks at. */
export const surveyedMax = 1_000;

/** About what the largest one takes in memory; how large one becomes is known only when it is there, and it is shared before. */
export const surveyBytes = 600 * surveyedMax;
