import type { TextKind } from '../../search-index/films/film-text.ts';
import { type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';
import { LineFinder } from './find-matched-lines.ts';
import { type PlanMatcher, planMatcher } from './plan-matcher.ts';

/** What the matches of every video of an answer are found by. */
export interface Answering {
  readonly plan: SearchPlan;
  readonly matcher: PlanMatcher;
  /** What finds the lines of a film, kind by kind. */
  readonly lines: Readonly<Record<TextKind, LineFinder>>;
  /** The significant concepts of each text that was asked, by their numbers in the plan. */
  readonly wantedOfText: readonly (readonly number[])[];
}

/** Several texts are alternatives: what any of them finds is shown. */
export function makeAnswering(plans: readonly SearchPlan[]): Answering {
  const plan = combine(plans);
  let before = 0;
  const wantedOfText = plans.map((each) => {
    const significant = significantConceptsOf(each).map((n) => before + n);
    before += each.concepts.length;
    return significant;
  });
  const finding = { plan, matcher: planMatcher(plan), wantedOfText };
  const finder = () => new LineFinder(finding);
  return { ...finding, lines: { Transcript: finder(), Ocr: finder(), Rough: finder() } };
}

function combine(plans: readonly SearchPlan[]): SearchPlan {
  const [only] = plans;
  if (only && plans.length === 1) return only;
  const concepts = plans.flatMap((plan) => plan.concepts);
  const onlyStopWords = concepts.every(({ isStopWord }) => isStopWord);
  return { concepts, not: [], ids: [], notIds: [], onlyStopWords, languages: only?.languages ?? [] };
}
