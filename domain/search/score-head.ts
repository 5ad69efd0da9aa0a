import { type HeadField, headFields } from '../search-index/head-lines.ts';
import { findTokenHits, type PlanMatcher } from './plan-matcher.ts';
import type { QueryField } from './query.ts';
import { isExactFit, lackingFit, type SearchPlan, tellingConcepts } from './search-plan.ts';

/** How much it tells of a video that a word stands in this field of its head. */
const shares: Record<HeadField, number> = { title: 1, people: 0.9, brands: 0.45, labels: 0.5, owner: 0.5, description: 0.5 };
const queryFieldOf: Partial<Record<HeadField, QueryField>> = { title: 'title', people: 'person', brands: 'brand', labels: 'label' };

export interface HeadScore {
  readonly score: number;
  /** Whether the head holds each concept. */
  readonly holds: readonly boolean[];
  /** Whether every concept stands there as the very word that was asked for. */
  readonly isExact: boolean;
}

/** Scores a head row: what a video is called, and who and what is in it. */
export function scoreHead(text: string, plan: SearchPlan, matcher: PlanMatcher): HeadScore {
  const fits = plan.concepts.map(() => 0);
  const best = plan.concepts.map(() => 0);
  for (const [n, line] of text.split('\n').entries()) {
    const field = headFields[n];
    if (!field || line === '') continue;
    const accepts = (asked: QueryField | undefined) => asked === undefined || asked === queryFieldOf[field];
    for (const { concept, fit } of findTokenHits(line.split(' '), matcher, accepts)) {
      fits[concept] = Math.max(fits[concept] ?? 0, fit * shares[field]);
      best[concept] = Math.max(best[concept] ?? 0, fit);
    }
  }
  const score = plan.concepts.reduce((sum, { weight }, n) => sum + weight * (fits[n] ?? 0), 0);
  return { score, holds: best.map((fit) => fit > lackingFit), isExact: tellingConcepts(plan).every((n) => isExactFit(plan, n, best[n])) };
}
