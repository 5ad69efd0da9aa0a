import { headWords } from '../search-index/head-lines.ts';
import type { Video } from '../videos/video.ts';
import { findLineHits } from './find-line-hits.ts';
import type { FoldedBody } from './folded-body.ts';
import { planMatcher } from './plan-matcher.ts';
import { scoreHead } from './score-head.ts';
import { type Alternative, type PlannedConcept, type SearchPlan, tellingConcepts } from './search-plan.ts';
import { lackingFit } from './weights.ts';

/** Whether a plan has words that must or must not be there. */
export function hasConditions({ concepts, not }: SearchPlan): boolean {
  return not.length > 0 || concepts.some(({ must }) => must);
}

/** Whether a video may stand in the answer to these plans: of several, one that it answers has to let it. */
export function meetsAnyPlan(video: Video, body: FoldedBody, plans: readonly SearchPlan[]): boolean {
  return plans.some((plan) => meetsConditions(video, body, plan) && (plans.length === 1 || answersPlan(video, body, plan)));
}

function answersPlan(video: Video, body: FoldedBody, plan: SearchPlan): boolean {
  const { ids, notIds } = plan;
  if ((ids.length > 0 && !ids.includes(video.id)) || notIds.includes(video.id)) return false;
  if (plan.concepts.length === 0) return true;
  const matcher = planMatcher(plan);
  const telling = tellingConcepts(plan);
  if (findLineHits(body, matcher).some(({ concept }) => telling.includes(concept))) return true;
  const { holds } = scoreHead(headWords(video, []), plan, matcher);
  return telling.some((n) => holds[n]);
}

/** Whether a video holds everything that must be there, and nothing that must not. */
function meetsConditions(video: Video, body: FoldedBody, { concepts, not }: SearchPlan): boolean {
  const must = concepts.filter((concept) => concept.must);
  const plan: SearchPlan = { concepts: [...must, ...not.map(unwantedConcept)], not: [], ids: [], notIds: [], onlyStopWords: true };
  const matcher = planMatcher(plan);
  const held = new Set(
    findLineHits(body, matcher)
      .filter(({ fit }) => fit > lackingFit)
      .map(({ concept }) => concept),
  );
  scoreHead(headWords(video, []), plan, matcher).holds.forEach((isHeld, concept) => {
    if (isHeld) held.add(concept);
  });
  return plan.concepts.every((_, n) => held.has(n) === n < must.length);
}

function unwantedConcept(alternative: Alternative): PlannedConcept {
  const surface = alternative.tokens.join(' ');
  return { alternatives: [alternative], surface, weight: 1, isStopWord: false, must: false, isPlenty: false, isHeld: true };
}
