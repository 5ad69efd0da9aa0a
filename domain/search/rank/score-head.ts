import { type HeadField, headFields } from '../../search-index/head-lines.ts';
import type { RowWords } from '../../search-index/read-row-words.ts';
import { lineEndCode } from '../../search-index/word-code.ts';
import { acceptedInField } from '../match/film-hits.ts';
import { findWordHits } from '../match/find-word-hits.ts';
import type { PlanMatcher } from '../match/plan-matcher.ts';
import type { QueryField } from '../query/query.ts';
import { isExactFit, type SearchPlan, significantConcepts } from '../query/search-plan.ts';
import { lackingFit, ofHead } from '../weights.ts';

const queryFieldOf: Partial<Record<HeadField, QueryField>> = { title: 'title', people: 'person', brands: 'brand', labels: 'label' };

export interface HeadScore {
  readonly score: number;
  /** Whether the head holds each concept. */
  readonly holds: readonly boolean[];
  /** Whether every concept stands there as the very word that was asked for. */
  readonly isExact: boolean;
}

/** Scores a head row, by the codes of its words: what a video is called, and who and what is in it. */
export function scoreHead({ words, language }: Pick<RowWords, 'words' | 'language'>, plan: SearchPlan, matcher: PlanMatcher): HeadScore {
  const fits = plan.concepts.map(() => 0);
  const best = plan.concepts.map(() => 0);
  let from = 0;
  for (const field of headFields) {
    const end = words.indexOf(lineEndCode, from);
    if (end < 0) break;
    const accepts = acceptedInField(queryFieldOf[field], language);
    const line = words.subarray(from, end);
    from = end + 1;
    for (const { concept, fit } of findWordHits(line, matcher.all, { accepts })) {
      fits[concept] = Math.max(fits[concept] ?? 0, fit * ofHead[field]);
      best[concept] = Math.max(best[concept] ?? 0, fit);
    }
  }
  const score = plan.concepts.reduce((sum, { weight }, n) => sum + weight * (fits[n] ?? 0), 0);
  return {
    score,
    holds: best.map((fit) => fit > lackingFit),
    isExact: significantConcepts(plan).every((n) => isExactFit(plan, n, best[n])),
  };
}
