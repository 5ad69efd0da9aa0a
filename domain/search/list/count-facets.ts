import { matchKindOf } from '#contract/match-kinds.ts';
import { lengthFilters, lengthOf, type NarrowingGroup } from '#contract/narrowing.ts';
import type { SearchFacets } from '#contract/search-facets.ts';
import { fitsNarrowing, foldName, type Narrowing } from './narrowing.ts';
import type { Survey, SurveyedVideo } from './survey.ts';

/** Names of a group beyond these are left out, unless they are asked for. */
export const facetNamesMax = 30;

/** What a surveyed answer comes to, group by group, each as if it alone were not narrowed yet. */
export function countFacets({ videos, isAll }: Survey, narrowing: Narrowing): SearchFacets {
  const without = (group: NarrowingGroup) => videos.filter(fitsNarrowing(narrowing, group));
  const named = (group: 'people' | 'labels' | 'brands') =>
    countNames(
      without(group).map((video) => video[group]),
      narrowing[group],
    );
  const ofLength = Map.groupBy(without('length'), ({ durationInSeconds }) => lengthOf(Math.round(durationInSeconds)));
  return {
    isAll,
    videos: videos.filter(fitsNarrowing(narrowing)).length,
    kinds: countKinds(without('kinds')),
    lengths: lengthFilters.map((length) => ({ length, videos: ofLength.get(length)?.length ?? 0 })),
    playable: without('playable').filter(({ isPlayable }) => isPlayable).length,
    people: named('people'),
    labels: named('labels'),
    brands: named('brands'),
  };
}

function countKinds(videos: readonly SurveyedVideo[]): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { counts } of videos) {
    for (const [kind, count] of Object.entries(counts)) kinds[matchKindOf(kind)] = (kinds[matchKindOf(kind)] ?? 0) + count;
  }
  return kinds;
}

/** Those in most videos first, then by name. */
function countNames(lists: readonly (readonly string[])[], asked: readonly string[] = []): { name: string; videos: number }[] {
  const counts = new Map<string, number>();
  for (const names of lists) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const wanted = new Set(asked.map(foldName));
  return [...counts]
    .map(([name, videos]) => ({ name, videos }))
    .sort((a, b) => b.videos - a.videos || (a.name < b.name ? -1 : 1))
    .filter(({ name }, place) => place < facetNamesMax || wanted.has(foldName(name)));
}
