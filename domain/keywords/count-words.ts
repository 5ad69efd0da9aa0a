import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Moment } from '../moments/moment.ts';
import { tokensOf } from '../words/tokens.ts';
import type { WordStatistics } from './find-keywords.ts';

/** How common what is said in these moments is in the archive, whose index may not have counted their film yet. */
export async function countWords(db: Db, moments: readonly Moment[]): Promise<WordStatistics> {
  const words = new Set(moments.flatMap(({ kind, text }) => (kind === 'Transcript' ? tokensOf(text) : [])));
  const counted = await db.query<{ term: string; videos: number }>(sql`
    select term, video_count as videos from vocabulary where term = any (${[...words]}::text[])`);
  const published = await db.query<{ videos: number }>(sql`select count(*)::int as videos from videos where state = 'Processed'`);
  const counts = new Map(counted.rows.map(({ term, videos }) => [term, videos]));
  return { videos: published.rows[0]?.videos ?? 0, countOf: (word) => counts.get(word) ?? 0 };
}
