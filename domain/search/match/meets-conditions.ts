import type { FilmCodes } from '../../search-index/film-codes.ts';
import { headWords } from '../../search-index/head-lines.ts';
import { type Alternative, type PlannedConcept, type SearchPlan, tellingConcepts } from '../query/search-plan.ts';
import { scoreHead } from '../rank/score-head.ts';
import { lackingFit } from '../weights.ts';
import { someHitInFilm } from './film-hits.ts';
import type { HeadOfVideo } from './head-matches.ts';
import { planMatcher } from './plan-matcher.ts';

/** Whether a plan has words that must or must not be there. */
export function hasConditions({ concepts, not }: SearchPlan): boolean {
  return not.length > 0 || concepts.some(({ must }) => must);
}

/** A video as its conditions are looked for. */
type AskedVideo = HeadOfVideo & { readonly id: string; readonly film: FilmCodes };

/** Whether a video may stand in the answer to these plans: of several, one that it answers has to let it. */
export function meetsAnyPlan(video: AskedVideo, plans: readonly SearchPlan[]): boolean {
  const read = readVideo(video);
  return plans.some((plan) => meetsConditions(read, plan) && (plans.length === 1 || answersPlan(read, plan)));
}

/** Whether a video that nobody has ranked stands in the answer to any of these plans. */
export function answersAnyPlan(video: AskedVideo, plans: readonly SearchPlan[]): boolean {
  const read = readVideo(video);
  return plans.some((plan) => meetsConditions(read, plan) && answersPlan(read, plan));
}

/** A video's own words. Those of its head are read where those of its film leave something open. */
interface ReadVideo {
  readonly id: string;
  readonly film: FilmCodes;
  readonly head: () => Int32Array;
}

function readVideo({ id, film, ...facts }: AskedVideo): ReadVideo {
  let head: Int32Array | undefined;
  return {
    id,
    film,
    head: () => {
      head ??= headWords(facts, []);
      return head;
    },
  };
}

function answersPlan({ id, film, head }: ReadVideo, plan: SearchPlan): boolean {
  const { ids, notIds } = plan;
  if ((ids.length > 0 && !ids.includes(id)) || notIds.includes(id)) return false;
  if (plan.concepts.length === 0) return true;
  const matcher = planMatcher(plan);
  if (someHitInFilm(film, matcher.telling, () => true)) return true;
  const { holds } = scoreHead(head(), plan, matcher);
  return tellingConcepts(plan).some((n) => holds[n]);
}

/** What a video is asked for its conditions: what it must hold, one by one, and what it must not, together. */
interface Conditions {
  readonly must: readonly SearchPlan[];
  readonly not: SearchPlan | undefined;
}

const conditions = new WeakMap<SearchPlan, Conditions>();

/** The conditions of a plan, parted once for all videos: the rarest word first, which most videos lack. */
function conditionsOf(plan: SearchPlan): Conditions {
  const known = conditions.get(plan);
  if (known) return known;
  const must = plan.concepts.filter((concept) => concept.must).toSorted((a, b) => b.weight - a.weight);
  const parted = {
    must: must.map((concept) => planOf([concept])),
    not: plan.not.length > 0 ? planOf(plan.not.map(unwantedConcept)) : undefined,
  };
  conditions.set(plan, parted);
  return parted;
}

/** Whether a video holds everything that must be there, and nothing that must not. A word that stands everywhere is found in its first lines. */
function meetsConditions(video: ReadVideo, plan: SearchPlan): boolean {
  const { must, not } = conditionsOf(plan);
  return must.every((one) => holdsAny(video, one)) && !(not && holdsAny(video, not));
}

/** Whether a video holds any of the concepts of a plan. */
function holdsAny({ film, head }: ReadVideo, plan: SearchPlan): boolean {
  const matcher = planMatcher(plan);
  return someHitInFilm(film, matcher.all, ({ fit }) => fit > lackingFit) || scoreHead(head(), plan, matcher).holds.includes(true);
}

function planOf(concepts: readonly PlannedConcept[]): SearchPlan {
  return { concepts, not: [], ids: [], notIds: [], onlyStopWords: true };
}

function unwantedConcept(alternative: Alternative): PlannedConcept {
  const surface = alternative.tokens.join(' ');
  return { alternatives: [alternative], surface, weight: 1, isStopWord: false, must: false, isPlenty: false, isHeld: true };
}
