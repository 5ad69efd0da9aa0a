import type { SearchOrder } from '#contract/narrowing.ts';
import { countOfKinds, fitsNarrowing, type Narrowing } from './narrowing.ts';
import type { Survey, SurveyedVideo } from './survey.ts';

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
