import type { Video } from '../videos/video.ts';
import { findLineHits } from './find-line-hits.ts';
import type { FoldedBody } from './folded-body.ts';
import { headText } from './head-lines.ts';
import { planMatcher } from './plan-matcher.ts';
import { scoreHead } from './score-head.ts';
import { type Alternative, lackingFit, type PlannedConcept, type SearchPlan } from './search-plan.ts';

/** Whether a plan has words that must or must not be there. */
export function hasConditions({ concepts, not }: SearchPlan): boolean {
  return not.length > 0 || concepts.some(({ must }) => must);
}

/** Whether a video holds everything that must be there, and nothing that must not. */
export function meetsConditions(video: Video, body: FoldedBody, { concepts, not }: SearchPlan): boolean {
  const must = concepts.filter((concept) => concept.must);
  const plan: SearchPlan = { concepts: [...must, ...not.map(unwantedConcept)], not: [], ids: [], notIds: [], onlyStopWords: true };
  const matcher = planMatcher(plan);
  const held = new Set(
    findLineHits(body, matcher)
      .filter(({ fit }) => fit > lackingFit)
      .map(({ concept }) => concept),
  );
  scoreHead(headText(video, []), plan, matcher).holds.forEach((isHeld, concept) => {
    if (isHeld) held.add(concept);
  });
  return plan.concepts.every((_, n) => held.has(n) === n < must.length);
}

function unwantedConcept(alternative: Alternative): PlannedConcept {
  const surface = alternative.tokens.join(' ');
  return { alternatives: [alternative], surface, weight: 1, isStopWord: false, must: false, isPlenty: false, isHeld: true };
}
