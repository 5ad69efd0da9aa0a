import type { SearchWork } from '../scheduling/search-time-slice.ts';
import type { CodeRoom } from './code-room.ts';
import type { TableKind } from './index-tables.ts';
import type { ScoredRow } from './postings/best-rows.ts';
import type { RowCondition } from './row-condition.ts';

/** What is asked of the index, in words that the archive holds. */
export interface IndexQuestion {
  /** The words as they were asked for. */
  readonly words: readonly string[];
  /** Words that may stand for them. */
  readonly others: readonly string[];
  /** Words in a row. */
  readonly phrases: readonly (readonly string[])[];
  /** The rows that may answer; any of them without. */
  readonly only?: RowCondition | undefined;
  readonly limit: number;
  /** Where the words of what is found stand; in a room of their own where nothing is said. */
  readonly room?: CodeRoom | undefined;
  /** What questions before this one found, and what this one finds for those after it; of the same rows that may answer. */
  readonly found?: FoundPhrases | undefined;
  /** The search that asks this. */
  readonly work?: SearchWork | undefined;
}

/**
 * All rows of phrases, as far as one question found all of them, for those that a search asks next: a phrase that hardly any row holds
 * takes longest to find, and would be found again for every window.
 */
export class FoundPhrases {
  /** By the postings in which they were found, as others come in their place meanwhile. */
  readonly #rows = new WeakMap<object, Map<string, readonly ScoredRow[]>>();

  of(postings: object, kind: TableKind, phrase: readonly string[]): readonly ScoredRow[] | undefined {
    return this.#rows.get(postings)?.get(keyOf(kind, phrase));
  }

  keep(postings: object, { kind, phrase, rows }: { kind: TableKind; phrase: readonly string[]; rows: readonly ScoredRow[] }): void {
    const known = this.#rows.get(postings) ?? new Map<string, readonly ScoredRow[]>();
    known.set(keyOf(kind, phrase), rows);
    this.#rows.set(postings, known);
  }
}

function keyOf(kind: TableKind, phrase: readonly string[]): string {
  return `${kind} ${phrase.join(' ')}`;
}
