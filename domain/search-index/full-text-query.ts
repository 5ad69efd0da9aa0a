import { BooleanQuery, type FullTextQuery, MatchQuery, Occur, PhraseQuery } from '@lancedb/lancedb';
import type { IndexQuestion } from './index-question.ts';

/** Any of the words finds; more of them, and rarer ones, find better. */
export function fullTextQuery({ words, others, phrases }: IndexQuestion): FullTextQuery {
  const parts: FullTextQuery[] = phrases.map((phrase) => new PhraseQuery(phrase.join(' '), 'text'));
  // All in one: a query of several parts cannot skip rows, and takes five times as long. The ranking tells them apart.
  const all = [...words, ...others];
  if (all.length > 0) parts.push(new MatchQuery(all.join(' '), 'text'));
  const [only] = parts;
  if (only && parts.length === 1) return only;
  return new BooleanQuery(parts.map((part) => [Occur.Should, part]));
}
