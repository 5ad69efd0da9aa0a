import type { Language } from '../../words/languages/language.ts';
import { sameWordFit } from '../weights.ts';
import type { QueryField } from './query.ts';

/** Words in a row that meet a concept, and how well: 1 for what was asked for, less for what may stand for it. */
export interface Alternative {
  readonly tokens: readonly string[];
  readonly fit: number;
  readonly field?: QueryField | undefined;
  /** The language in which the one stands for the other; any of them where nothing is said. */
  readonly language?: string | undefined;
  /** How many videos hold its rarest word; where nothing is said, nobody has counted. */
  readonly videos?: number;
}

/** One thing that is looked for, in all the ways in which it may be met. */
export interface PlannedConcept {
  readonly alternatives: readonly Alternative[];
  /** How much it counts: rare words count more. */
  readonly weight: number;
  readonly isStopWord: boolean;
  readonly must: boolean;
  /** As it was typed. */
  readonly surface: string;
  /** Whether the archive holds the word itself, or another way of writing it. */
  readonly isHeld: boolean;
  /** What the word, which occurs nowhere, was taken for, and where it stands in the query. */
  readonly takenFor?: { readonly word: string; readonly from: number; readonly to: number };
  /** So many videos hold the very word that the first pages need no other. */
  readonly isPlenty: boolean;
}

/** What a query comes to with the words of this archive. */
export interface SearchPlan {
  readonly concepts: readonly PlannedConcept[];
  readonly not: readonly Alternative[];
  /** Only these videos; all of them when empty. */
  readonly ids: readonly string[];
  /** None of these videos. */
  readonly notIds: readonly string[];
  /** A stop word alone is no match, unless there is nothing else to match. */
  readonly onlyStopWords: boolean;
  /** Those that are known among the languages of the archive: no other has stop words or question words in it. */
  readonly languages: readonly Language[];
  /** How many videos the archive has; where nothing is said, nobody has counted. */
  readonly videos?: number;
  /** The batch of the index whose words it was made with. */
  readonly batch?: number;
}

/** About what it takes in memory, with what looks for it. */
export function planBytes({ concepts }: SearchPlan): number {
  return 10_000 + 600 * concepts.reduce((sum, { alternatives }) => sum + alternatives.length, 0);
}

/** Whether concept `n` has to be met, and a line is shown for it: all of them are but stop words beside others. */
export function isSignificant(n: number, { concepts, onlyStopWords }: Pick<SearchPlan, 'concepts' | 'onlyStopWords'>): boolean {
  return onlyStopWords || concepts[n]?.isStopWord === false;
}

const significant = new WeakMap<SearchPlan, readonly number[]>();

/** Numbers of the significant concepts. */
export function significantConceptsOf(plan: SearchPlan): readonly number[] {
  const known = significant.get(plan);
  if (known) return known;
  const numbers = [...plan.concepts.keys()].filter((n) => isSignificant(n, plan));
  significant.set(plan, numbers);
  return numbers;
}

/** From which fit on a hit is the very word of concept `n`. A word that occurs nowhere is as exact as it gets by what stands for it. */
export function leastExactFitOf({ concepts }: SearchPlan, n: number): number {
  return concepts[n]?.isHeld === false ? Number.MIN_VALUE : sameWordFit;
}
