import type { UnfoundPage } from '#contract/unfound.ts';
import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { cleanText, holdsEmailAddress } from '../videos/clean-text.ts';
import { foldText } from '../words/fold-text.ts';
import { isStopWord } from '../words/languages/languages.ts';
import { tokensOf } from '../words/tokens.ts';

/** A search may be answered by what its results say, without opening any: only when that happens again and again is it told. */
const unopenedFrom = 3;

/** Queries that failed visitors: those that found nothing first, the most frequent of them before; then those of which nothing was opened. */
export async function listUnfound(pool: Pool, { skip, pageSize }: { skip: number; pageSize: number }): Promise<UnfoundPage> {
  const { rows } = await pool.query<UnfoundRow>(sql`
    select text, found_nothing as "foundNothing", last_at as "lastAt",
           case when opened_nothing >= ${unopenedFrom} then opened_nothing else 0 end as "openedNothing"
      from unfound_queries
     where found_nothing > 0 or opened_nothing >= ${unopenedFrom}
     order by found_nothing desc, unfound_queries.opened_nothing desc, last_at desc, folded
     limit ${pageSize} offset ${skip}`);
  const { rows: counted } = await pool.query<{ total: number }>(sql`
    select count(*) as total from unfound_queries where found_nothing > 0 or opened_nothing >= ${unopenedFrom}`);
  return { queries: rows.map((row) => ({ ...row, lastAt: row.lastAt.toISOString() })), total: counted[0]?.total ?? 0 };
}

interface UnfoundRow {
  readonly text: string;
  readonly foundNothing: number;
  readonly openedNothing: number;
  readonly lastAt: Date;
}

/** How many queries found nothing. */
export async function countFoundNothing(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ total: number }>(sql`select count(*) as total from unfound_queries where found_nothing > 0`);
  return rows[0]?.total ?? 0;
}

/** Takes a query off the list of those that failed; it comes back when it fails again. One that is not there is no error. */
export async function dismissUnfound(pool: Pool, text: string): Promise<void> {
  await pool.query(sql`delete from unfound_queries where folded = ${queryKey(text)?.folded ?? ''}`);
}

const countedMaxCodePoints = 200;
/** An index of the database holds no longer ones, and some letters grow when they are folded. */
const keyMaxLength = 400;

export interface QueryKey {
  /** What queries that are counted together have in common. */
  readonly folded: string;
  /** The query on one line, without controls. */
  readonly text: string;
}

/** What a query is counted under; null for one that is not counted, as it is empty, longer than 200 code points, nothing but stop words, or tells an e-mail address. */
export function queryKey(query: string): QueryKey | null {
  if ([...query].length > countedMaxCodePoints || holdsEmailAddress(query)) return null;
  const words = tokensOf(query);
  if (words.length > 0 && words.every((word) => isStopWord(word))) return null;
  const text = cleanText(query, countedMaxCodePoints);
  // Nothing is left of a query that is no letter and no digit; it is one all the same.
  const folded = foldText(text).text.replace(/\s+/g, ' ').trim() || text.toLowerCase();
  return folded === '' ? null : { folded: folded.slice(0, keyMaxLength).toWellFormed(), text };
}
