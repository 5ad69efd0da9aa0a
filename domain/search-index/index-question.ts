import type { SearchWork } from '../scheduling/search-time-slice.ts';
import type { CodeRoom } from './code-room.ts';
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
  /** The search that asks this. */
  readonly work?: SearchWork | undefined;
}
