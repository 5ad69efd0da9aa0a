import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

const termsPerRead = 50_000;

/** How many words of the vocabulary have another number of videos than `counts`, which is used up by this. */
export async function countWrongWords(db: Db, counts: Map<string, number>): Promise<number> {
  let wrong = 0;
  for (let after = ''; ; ) {
    const { rows } = await db.query<{ term: string; videos: number }>(sql`
      select term, video_count as videos from vocabulary where term > ${after} order by term limit ${termsPerRead}`);
    for (const { term, videos } of rows) {
      if ((counts.get(term) ?? 0) !== videos) wrong++;
      counts.delete(term);
    }
    const last = rows.at(-1);
    if (!last) return wrong + counts.size;
    after = last.term;
  }
}
