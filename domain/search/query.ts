/** Where a term may be found: `person:`, `brand:`, `label:`, `said:`, `written:`, `title:`. */
export type QueryField = 'person' | 'brand' | 'label' | 'said' | 'written' | 'title';

/** Words in a row: one word, a quoted phrase, or a word with signs in it such as `R2-D2`. */
export interface QueryTerm {
  readonly tokens: readonly string[];
  readonly quoted: boolean;
  readonly field?: QueryField;
  /** The last word of a text that is still being typed: words that begin so count too. */
  readonly open: boolean;
}

/** One thing asked for: any of its alternatives meets it (`moon OR luna`). */
export interface QueryConcept {
  readonly anyOf: readonly QueryTerm[];
  readonly must: boolean;
}

export interface Query {
  readonly concepts: readonly QueryConcept[];
  readonly not: readonly QueryTerm[];
}
