import type { MeantFilms } from '../../meaning/meant-film.ts';

/** The very words close together; what stands for them close together; scattered over the video; lacking some; in rough speech alone. */
export const tiers = { rough: -1, lacking: 0, scattered: 1, close: 2, exact: 3 };

export interface RankedVideo {
  readonly id: string;
  /** Everything asked for close together, scattered, or some of it lacking: decides before the score. */
  readonly tier: number;
  readonly score: number;
}

/** The order of an answer, as far as it was looked at. */
export interface Ranking {
  readonly videos: readonly RankedVideo[];
  /** Whether these are all videos that match. */
  readonly isComplete: boolean;
}

/** A ranking that further pages of the same search go on with. */
export interface CachedRanking extends Ranking {
  /** Whether a video meets the conditions of its plans, where that was looked up. */
  readonly verdicts: Map<string, boolean>;
}

/** About what it takes in memory: an id and two numbers a video, and an entry for each verdict that may come. */
export function rankingBytes({ videos }: Ranking): number {
  return 200 * videos.length;
}

/** What meaning makes of a ranking by words. */
export interface JoinedLists {
  /** The films of both in one order. */
  readonly videos: readonly RankedVideo[];
  /** Films that are there, or where they are, also by what they mean; none where meaning has nothing to say. */
  readonly meant: MeantFilms;
  /** Films that words alone would not have brought so far. */
  readonly byMeaning: ReadonlySet<string>;
}

/** About what it takes in memory: a film by its passages takes more than its place. */
export function joinedBytes({ videos, meant }: JoinedLists): number {
  return 200 * videos.length + 200 * meant.size;
}
