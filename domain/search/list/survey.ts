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

/** Words found in them after which it looks at no more: thirty frequent words would take ten times as long as one. */
export const surveyedHitsMax = 100_000;

/** About what the largest one takes in memory; how large one becomes is known only when it is there, and it is shared before. */
export const surveyBytes = 200 * videosMax;

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
