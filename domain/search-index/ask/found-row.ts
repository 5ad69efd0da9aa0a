import type { RowWords } from '../read-row-words.ts';

/** A row that the index found: a passage or head row of a video with its words, and how well it fits by the index's own measure. */
export interface FoundRow extends RowWords {
  /** Tells it from all other rows. */
  readonly offset: number;
  readonly score: number;
}
