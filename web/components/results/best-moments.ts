import type { FoundMoment } from './found-moment.ts';

/** The best few of moments that come best first, in the order of time. */
export function bestMoments(moments: readonly FoundMoment[], count: number): FoundMoment[] {
  return moments.slice(0, count).toSorted((one, other) => one.seconds - other.seconds);
}
