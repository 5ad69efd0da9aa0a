/** Where a term may be found: `person:`, `brand:`, `label:`, `said:`, `written:`, `title:`. */
export type QueryField = 'person' | 'brand' | 'label' | 'said' | 'written' | 'title';

/** Words in a row: one word, a quoted phrase, or a word with signs in it such as `R2-D2`. */
export interface QueryTerm {
  readonly tokens: readonly string[];
  /** Taken to the letter: in quotation marks, or with a plus before it. */
  readonly quoted: boolean;
  /** As it was typed, without its sign and field. */
  readonly surface: string;
  /** Offsets of that in the text that was read, for one word that stands alone. */
  readonly offsets?: { readonly from: number; readonly to: number };
  readonly field?: QueryField;
  /** The last word of a text: it may be the beginning of one. */
  readonly open: boolean;
}

/** One thing asked for: any of its alternatives meets it (`moon OR luna`). */
export interface QueryConcept {
  readonly anyOf: readonly QueryTerm[];
  readonly must: boolean;
}

export interface Query {
  /** Whether it is still being typed: then words that begin like its last one count, though that is a word already. */
  readonly isTyped: boolean;
  readonly concepts: readonly QueryConcept[];
  readonly not: readonly QueryTerm[];
  /** Only these videos, by `id:`; all of them when empty. */
  readonly ids: readonly string[];
  /** None of these videos, by `-id:`. */
  readonly notIds: readonly string[];
}
