import { BooleanQuery, type FullTextQuery, MatchQuery, Occur, PhraseQuery } from '@lancedb/lancedb';
import type { IndexQuestion } from './index-question.ts';

const weightOfOthers = 0.5;

/** Any of the words finds; more of them, and rarer ones, find better. */
export function fullTextQuery({ words, others, phrases }: IndexQuestion): FullTextQuery {
  const parts: FullTextQuery[] = phrases.map((phrase) => new PhraseQuery(phrase.join(' '), 'text'));
  if (words.length > 0) parts.push(new MatchQuery(words.join(' '), 'text'));
  if (others.length > 0) parts.push(new MatchQuery(others.join(' '), 'text', { boost: weightOfOthers }));
  const [only] = parts;
  if (only && parts.length === 1) return only;
  return new BooleanQuery(parts.map((part) => [Occur.Should, part]));
}
