import { type HeadField, headFields } from '../../search-index/head-lines.ts';
import type { RowWords } from '../../search-index/read-row-words.ts';
import { lineEndCode } from '../../search-index/word-code.ts';
import type { QueryField } from '../query/query.ts';
import { leastExactFitOf, type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';
import { fit, lackingFit, ofHead, ofWholeHead } from '../weights.ts';
import { acceptedInField } from './film-hits.ts';
import { type HitListener, seekWordHit } from './find-word-hits.ts';
import type { PlanMatcher } from './plan-matcher.ts';

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
  const wanted = significantConceptsOf(plan);
  const inField = plan.concepts.map(() => 0);
  const note: HitListener = ({ concept, fit }) => {
    inField[concept] = Math.max(inField[concept] ?? 0, fit);
    return false;
  };
  let from = 0;
  for (const field of headFields) {
    const end = words.indexOf(lineEndCode, from);
    if (end < 0) break;
    if (end === from) {
      from++;
      continue;
    }
    const accepts = acceptedInField(queryFieldOf[field], language);
    inField.fill(0);
    seekWordHit(words.subarray(from, end), matcher.all, { accepts, isEnough: note });
    from = end + 1;
    const holdsAll = wanted.every((n) => (inField[n] ?? 0) >= fit.inflected);
    const weight = (holdsAll ? ofWholeHead[field] : undefined) ?? ofHead[field];
    for (let n = 0; n < inField.length; n++) {
      const found = inField[n] ?? 0;
      fits[n] = Math.max(fits[n] ?? 0, found * weight);
      best[n] = Math.max(best[n] ?? 0, found);
    }
  }
  const score = plan.concepts.reduce((sum, { weight }, n) => sum + weight * (fits[n] ?? 0), 0);
  return {
    score,
    holds: best.map((found) => found > lackingFit),
    isExact: wanted.every((n) => (best[n] ?? 0) >= leastExactFitOf(plan, n)),
  };
}
