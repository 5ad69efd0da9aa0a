import type { Video } from '../videos/video.ts';
import { findLineHits } from './find-line-hits.ts';
import type { FoldedBody } from './folded-body.ts';
import { headText } from './head-lines.ts';
import { planMatcher } from './plan-matcher.ts';
import { scoreHead } from './score-head.ts';
import type { PlannedConcept, SearchPlan } from './search-plan.ts';

/** Whether a video holds everything that must be there, and nothing that must not. */
export function meetsConditions(video: Video, body: FoldedBody, { concepts, not }: SearchPlan): boolean {
  const must = concepts.filter((concept) => concept.must);
  const unwanted = not.map(
    (alternative): PlannedConcept => ({ alternatives: [alternative], weight: 1, isStopWord: false, must: false, isPlenty: false }),
  );
  const plan: SearchPlan = { concepts: [...must, ...unwanted], not: [], onlyStopWords: true };
  const matcher = planMatcher(plan);
  const held = new Set(findLineHits(body, matcher).map(({ concept }) => concept));
  scoreHead(headText(video, []), plan, matcher).fits.forEach((fit, concept) => {
    if (fit > 0) held.add(concept);
  });
  return plan.concepts.every((_, n) => held.has(n) === n < must.length);
}
