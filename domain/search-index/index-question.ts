/** What is asked of the index, in words that the archive holds. */
export interface IndexQuestion {
  /** The words as they were asked for. */
  readonly words: readonly string[];
  /** Words that may stand for them. */
  readonly others: readonly string[];
  /** Words in a row. */
  readonly phrases: readonly (readonly string[])[];
  /** Further condition on a row, in the index's own SQL, made of values that were checked. */
  readonly where?: string | undefined;
  readonly limit: number;
}
