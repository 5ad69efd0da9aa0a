import type { FilmCodes } from '../../search-index/films/film-codes.ts';
import { type Alternative, type PlannedConcept, type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';
import { lackingFit } from '../weights.ts';
import { someHitInFilm } from './film-hits.ts';
import { planMatcher } from './plan-matcher.ts';
import { scoreHead } from './score-head.ts';

/** Whether a plan has words that must or must not be there. */
export function hasConditions({ concepts, not }: SearchPlan): boolean {
  return not.length > 0 || concepts.some(({ must }) => must);
}

/** A video as its conditions are looked for. */
interface AskedVideo {
  readonly id: string;
  readonly film: FilmCodes;
}

/** Whether a video that was ranked may stand in the answer to these plans: the only one is answered by it; of several, one that it answers has to let it. */
export function meetsAnyPlan(video: AskedVideo, plans: readonly SearchPlan[]): boolean {
  const [only] = plans;
  return only && plans.length === 1 ? meetsConditions(video, only) : answersAnyPlan(video, plans);
}

/** Whether a video that nobody has ranked stands in the answer to any of these plans. */
export function answersAnyPlan(video: AskedVideo, plans: readonly SearchPlan[]): boolean {
  return plans.some((plan) => meetsConditions(video, plan) && answersPlan(video, plan));
}

function answersPlan({ id, film }: AskedVideo, plan: SearchPlan): boolean {
  const { ids, notIds } = plan;
  if ((ids.length > 0 && !ids.includes(id)) || notIds.includes(id)) return false;
  if (plan.concepts.length === 0) return true;
  const matcher = planMatcher(plan);
  if (someHitInFilm(film, matcher.significant, () => true)) return true;
  const { holds } = scoreHead({ words: film.head, language: film.language }, plan, matcher);
  return significantConceptsOf(plan).some((n) => holds[n]);
}

/** The conditions of a plan as a plan of their own: first what must be there, so many concepts, then what must not. */
interface Conditions {
  readonly plan: SearchPlan;
  readonly wanted: number;
}

const conditions = new WeakMap<SearchPlan, Conditions>();

/** The conditions of a plan, parted from it once for all videos. */
function conditionsOf(plan: SearchPlan): Conditions {
  const known = conditions.get(plan);
  if (known) return known;
  const must = plan.concepts.filter((concept) => concept.must);
  const concepts = [...must, ...plan.not.map(toUnwantedConcept)];
  const parted = { plan: { concepts, not: [], ids: [], notIds: [], onlyStopWords: true, languages: plan.languages }, wanted: must.length };
  conditions.set(plan, parted);
  return parted;
}

/** Whether a video holds everything that must be there, and nothing that must not. */
function meetsConditions({ film }: AskedVideo, asked: SearchPlan): boolean {
  const { plan, wanted } = conditionsOf(asked);
  const matcher = planMatcher(plan);
  const isUnwanted = (concept: number) => concept >= wanted;
  const hasUnwanted = plan.concepts.length > wanted;
  const inLines = new Set<number>();
  // Its lines are gone through until one holds what must not be there, or, where nothing must not, they hold all that must.
  const isDecided = someHitInFilm(film, matcher.all, ({ concept, fit }) => {
    if (fit <= lackingFit) return false;
    inLines.add(concept);
    return isUnwanted(concept) || (!hasUnwanted && inLines.size === wanted);
  });
  if (isDecided) return !hasUnwanted;
  const { holds: inHead } = scoreHead({ words: film.head, language: film.language }, plan, matcher);
  const isThere = (concept: number) => inLines.has(concept) || inHead[concept] === true;
  return plan.concepts.every((_, concept) => (isUnwanted(concept) ? !isThere(concept) : isThere(concept)));
}

function toUnwantedConcept(alternative: Alternative): PlannedConcept {
  const surface = alternative.tokens.join(' ');
  return { alternatives: [alternative], surface, weight: 1, isStopWord: false, must: false, isPlenty: false, isHeld: true };
}
