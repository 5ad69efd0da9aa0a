import { cleanText, holdsEmailAddress } from '../videos/clean-text.ts';
import { foldText } from '../words/fold-text.ts';

const countedMaxCodePoints = 200;
/** An index of the database holds no longer ones, and some letters grow when they are folded. */
const keyMaxLength = 400;

export interface QueryKey {
  /** What queries that are counted together have in common. */
  readonly folded: string;
  /** The query on one line, without controls. */
  readonly text: string;
}

/** What a query is counted under; null for one that is not counted, as it is empty, longer than 200 code points or tells an e-mail address. */
export function queryKey(query: string): QueryKey | null {
  if ([...query].length > countedMaxCodePoints || holdsEmailAddress(query)) return null;
  const text = cleanText(query, countedMaxCodePoints);
  // Nothing is left of a query that is no letter and no digit; it is one all the same.
  const folded = foldText(text).text.replace(/\s+/g, ' ').trim() || text.toLowerCase();
  return folded === '' ? null : { folded: folded.slice(0, keyMaxLength).toWellFormed(), text };
}
