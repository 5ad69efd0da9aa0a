import type { QueryField } from './query.ts';

/** Words in a row that meet a concept, and how well: 1 for what was asked for, less for what may stand for it. */
export interface Alternative {
  readonly tokens: readonly string[];
  readonly fit: number;
  readonly field?: QueryField | undefined;
}

/** One thing that is looked for, in all the ways in which it may be met. */
export interface PlannedConcept {
  readonly alternatives: readonly Alternative[];
  /** How much it tells: rare words tell more. */
  readonly weight: number;
  readonly isStopWord: boolean;
  readonly must: boolean;
  /** So many videos hold the very word that the first pages need no other. */
  readonly isPlenty: boolean;
}

/** What a query comes to with the words of this archive. */
export interface SearchPlan {
  readonly concepts: readonly PlannedConcept[];
  readonly not: readonly Alternative[];
  /** A stop word alone is no match, unless there is nothing else to match. */
  readonly onlyStopWords: boolean;
}
