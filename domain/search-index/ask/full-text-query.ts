import { type FullTextQuery, MatchQuery, PhraseQuery } from '@lancedb/lancedb';
import type { IndexQuestion } from './index-question.ts';

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
