import { type FullTextQuery, MatchQuery, PhraseQuery } from '@lancedb/lancedb';
import type { SearchWork } from '../../scheduling/search-time-slice.ts';
import type { CodeRoom } from '../code-room.ts';
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

/**
 * What a question asks of a table: any of the words finds, and so does each of the phrases; more words, and rarer ones, find
 * better. All words go in one query, and every phrase in one of its own: a query of several parts cannot skip rows, and
 * takes fifty times as long where a phrase has a stop word in it. The ranking tells apart what they find.
 */
export function fullTextQueries({ words, others, phrases }: Omit<IndexQuestion, 'limit' | 'only'>): FullTextQuery[] {
  const all = [...words, ...others];
  return [
    ...(all.length > 0 ? [new MatchQuery(all.join(' '), 'text')] : []),
    ...phrases.map((phrase) => new PhraseQuery(phrase.join(' '), 'text')),
  ];
}
