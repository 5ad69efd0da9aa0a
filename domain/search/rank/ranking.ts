import { serverLimits } from '#contract/limits.ts';
import type { MeantFilms } from '../../meaning/meant-film.ts';
import { type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';

export interface RankedVideo {
  readonly id: string;
  /** One of `tiers`. */
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
  readonly meetsConditions: Map<string, boolean>;
}

/** About what it takes in memory: an id and two numbers a video, and an entry for each condition that may be looked up. */
export function measureRanking({ videos }: Ranking): number {
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
export function measureJoined({ videos, meant }: JoinedLists): number {
  return 200 * videos.length + 200 * meant.size;
}

/** Videos that are ranked at most for an answer to these plans: fewer than a thousand for longer texts than people type, as each takes longer. */
export function limitRanked(plans: readonly SearchPlan[]): number {
  const words = plans.reduce((sum, plan) => sum + wordsLookedFor(plan), 0);
  return Math.max(
    serverLimits.rankedVideosMin,
    Math.min(serverLimits.rankedVideosMax, Math.floor(serverLimits.rankedVideosTimesWordsMax / Math.max(1, words))),
  );
}

/** Stop words are looked for only beside others. */
function wordsLookedFor(plan: SearchPlan): number {
  const significant = significantConceptsOf(plan).length;
  return significant + (plan.concepts.length - significant) / 2 + plan.not.length;
}
