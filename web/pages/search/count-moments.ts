import type { MatchKind } from '#contract/match-kinds.ts';
import type { FoundVideo } from '#web/components/results/found-video.ts';

/** Moments per kind, over the videos that have come so far. */
export function countKinds(videos: readonly FoundVideo[]): ReadonlyMap<MatchKind, number> {
  const counts = new Map<MatchKind, number>();
  for (const { kind } of videos.flatMap((video) => video.moments)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

export interface Facet {
  name: string;
  /** In how many videos. */
  videos: number;
}

/** The names of one kind among the moments, those of most videos first. */
export function countNames(videos: readonly FoundVideo[], kind: MatchKind): Facet[] {
  const counts = new Map<string, number>();
  for (const { moments } of videos) {
    const names = new Set(moments.filter((moment) => moment.kind === kind).map((moment) => moment.text));
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, videos: count })).toSorted((one, other) => other.videos - one.videos);
}
