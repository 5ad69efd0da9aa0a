import { limits } from '#contract/limits.ts';
import type { Video } from '../../videos/video.ts';
import { type SearchPlan, tellingConcepts } from '../query/search-plan.ts';
import type { FoundVideo } from '../search-request.ts';
import { lackingWords } from './explain-answer.ts';
import { findMoments } from './find-moments.ts';
import type { FoldedBody } from './folded-body.ts';
import { headMatches } from './head-matches.ts';
import { countByKind, type MatchCounts, totalOf } from './match-counts.ts';
import type { MomentMatch } from './moment-match.ts';
import { type PlanMatcher, planMatcher } from './plan-matcher.ts';
import type { VideoWithBody } from './read-videos.ts';

type AcceptsKind = (kind: MomentMatch['kind']) => boolean;

/** What the matches of every video of an answer are found by. */
export interface Answering {
  readonly plan: SearchPlan;
  readonly matcher: PlanMatcher;
  /** The words that tell of each text that was asked, as numbers of the plan's concepts. */
  readonly alternatives: readonly (readonly number[])[];
}

/** Several texts are alternatives: what any of them finds is shown. */
export function answeringPlans(plans: readonly SearchPlan[]): Answering {
  const plan = combine(plans);
  let before = 0;
  const alternatives = plans.map((each) => {
    const telling = tellingConcepts(each).map((n) => before + n);
    before += each.concepts.length;
    return telling;
  });
  return { plan, matcher: planMatcher(plan), alternatives };
}

/** A video with its best matches, as many as a card gets where nothing is said. */
export function toFoundVideo(
  { body, ...video }: VideoWithBody,
  { answering, accepts, limit = limits.matchesPerVideoMax }: { answering: Answering; accepts: AcceptsKind; limit?: number },
): FoundVideo {
  const { matches, counts, named, held } = findMoments(body, answering, { limit, accepts });
  const heads = headMatches(video, answering, named).filter(({ kind }) => accepts(kind));
  const all = [...matches, ...heads].sort((a, b) => b.score - a.score || a.startMs - b.startMs);
  const allCounts = together(counts, countByKind(heads));
  return {
    video,
    matches: all.slice(0, limit),
    matchesTotal: totalOf(allCounts),
    counts: allCounts,
    lacks: lackingWords(video, answering, held),
  };
}

/** How many matches a video has in truth: what `toFoundVideo` tells, without making them. */
export function countMatches(
  video: Video,
  body: FoldedBody,
  { answering, accepts }: { answering: Answering; accepts: AcceptsKind },
): MatchCounts {
  const { counts, named } = findMoments(body, answering, { limit: 0, accepts });
  return together(counts, countByKind(headMatches(video, answering, named).filter(({ kind }) => accepts(kind))));
}

function together(counts: MatchCounts, others: MatchCounts): MatchCounts {
  const sums: Record<string, number> = { ...counts };
  for (const [kind, count] of Object.entries(others)) sums[kind] = (sums[kind] ?? 0) + count;
  return sums;
}

function combine(plans: readonly SearchPlan[]): SearchPlan {
  const [only] = plans;
  if (only && plans.length === 1) return only;
  const concepts = plans.flatMap((plan) => plan.concepts);
  return { concepts, not: [], ids: [], notIds: [], onlyStopWords: concepts.every(({ isStopWord }) => isStopWord) };
}
