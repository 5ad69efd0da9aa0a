import type { RowWords } from '../read-row-words.ts';

/** A row by where its words stand, in bytes, which tells it from all other rows, and how well it fits by the index's own measure. */
export interface StoredScore {
  readonly offset: number;
  readonly score: number;
}

/** A row that the index found: a passage or head row of a video with its words. */
export interface FoundRow extends RowWords, StoredScore {}
