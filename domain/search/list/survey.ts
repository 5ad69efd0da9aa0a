import { serverLimits } from '#contract/limits.ts';
import { matchKindOf } from '#contract/match-kinds.ts';
import { lengthFilters, lengthOf, type NarrowingGroup, type SearchOrder } from '#contract/narrowing.ts';
import type { SearchFacets } from '#contract/search-facets.ts';
import { countOfKinds, fitsNarrowing, foldName, type Narrowed, type Narrowing } from './narrowing.ts';

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

/**
 * A survey that is kept, and the time as of which it was made. Its videos stand in two arrays of numbers, and become objects when
 * they are asked for: those of all that are kept would be most of what every garbage collection goes through.
 */
export class CachedSurvey implements Survey {
  readonly isAll: boolean;
  readonly ranked: number;
  readonly createdBefore: Date;
  readonly #ids: readonly string[];
  /** Of each video its duration in seconds, and when it was created. */
  readonly #times: Float64Array;
  /** Of each video 1 where it is playable, how many kinds have a count, these by their numbers with the counts, and group by group how many names there are, and their numbers. */
  readonly #facts: Int32Array;
  /** Kinds and names, by their numbers. */
  readonly #texts: readonly string[];

  constructor({ videos, isAll, ranked }: Survey, createdBefore: Date) {
    this.isAll = isAll;
    this.ranked = ranked;
    this.createdBefore = createdBefore;
    const numbers = new Map<string, number>();
    const numberOf = (text: string) => {
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    };
    this.#ids = videos.map(({ id }) => id);
    this.#times = Float64Array.from(videos.flatMap(({ durationInSeconds, createdMs }) => [durationInSeconds, createdMs]));
    const facts: number[] = [];
    for (const { isPlayable, counts, people, labels, brands } of videos) {
      const kinds = Object.entries(counts);
      facts.push(isPlayable ? 1 : 0, kinds.length);
      for (const [kind, count] of kinds) facts.push(numberOf(kind), count);
      for (const names of [people, labels, brands]) {
        facts.push(names.length);
        for (const name of names) facts.push(numberOf(name));
      }
    }
    this.#facts = Int32Array.from(facts);
    this.#texts = [...numbers.keys()];
  }

  /** The same as were given, made anew for whoever asks. */
  get videos(): SurveyedVideo[] {
    let at = 0;
    const next = () => this.#facts[at++] ?? 0;
    const text = () => this.#texts[next()] ?? '';
    return this.#ids.map((id, n) => {
      const isPlayable = next() === 1;
      const counts: Record<string, number> = {};
      for (let kinds = next(); kinds > 0; kinds--) counts[text()] = next();
      const names = () => Array.from({ length: next() }, text);
      const [durationInSeconds, createdMs] = [this.#times[2 * n] ?? 0, this.#times[2 * n + 1] ?? 0];
      return { id, durationInSeconds, createdMs, isPlayable, counts, people: names(), labels: names(), brands: names() };
    });
  }
}

/** About what the largest one takes in memory; how large one becomes is known only when it is there, and it is shared before. */
export const surveyBytes = 200 * serverLimits.rankedVideosMax;

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
    .filter(({ name }, place) => place < serverLimits.facetNamesMax || wanted.has(foldName(name)));
}
