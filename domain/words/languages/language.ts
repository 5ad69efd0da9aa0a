/** What the search knows of a language beyond the letters of its words. Words are folded; what a word may have been written for need not be a word, so ask the vocabulary. */
export interface Language {
  /** Of ISO 639-1. */
  readonly code: string;
  /** Words so common that they alone make no match, unless nothing else is asked for. */
  readonly stopWords: ReadonlySet<string>;
  /** Words that stand in most talks, whatever they are about. */
  readonly everydayWords: ReadonlySet<string>;
  /** Words with which a question begins. */
  readonly questionWords: ReadonlySet<string>;
  /** Other forms of a word. */
  inflectionsOf(word: string): ReadonlySet<string>;
  /** The same word as it is spelt elsewhere. */
  otherSpellingsOf(word: string): ReadonlySet<string>;
  /** Words that are said the same. */
  homophonesOf(word: string): readonly string[];
  /** First names that are said the same. */
  namesSaidAlike(name: string): readonly string[];
  /** The same number written in other ways, in digits and in words. */
  numberWays(tokens: readonly string[]): readonly (readonly string[])[];
  /** The most words that a number has. */
  readonly numberWordsMax: number;
}
