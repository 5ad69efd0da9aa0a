import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { WordStatistics } from '../keywords/find-keywords.ts';
import type { Moment } from '../moments/moment.ts';
import { tokensOf } from '../words/tokens.ts';

const termsPerStatement = 20_000;

/** Adds to the number of videos of each term. A term that no video holds any more stays with 0, so that readers learn of it. */
export async function countTerms(db: Db, { changes, batch }: { changes: ReadonlyMap<string, number>; batch: number }): Promise<void> {
  for (const [terms, counts] of sliceCounts(changes)) {
    await db.query(sql`
      update vocabulary v set video_count = greatest(v.video_count + changed.change, 0), changed_batch = ${batch}
        from unnest(${terms}::text[], ${counts}::int[]) as changed (term, change)
       where v.term = changed.term`);
    await db.query(sql`
      insert into vocabulary (term, video_count, changed_batch)
      select term, change, ${batch} from unnest(${terms}::text[], ${counts}::int[]) as changed (term, change)
       where change > 0
          on conflict (term) do nothing`);
  }
}

/** Replaces the whole vocabulary. */
export async function replaceVocabulary(db: Db, { counts, batch }: { counts: ReadonlyMap<string, number>; batch: number }): Promise<void> {
  await db.query(sql`delete from vocabulary`);
  for (const [terms, numbers] of sliceCounts(counts)) {
    await db.query(sql`
      insert into vocabulary (term, video_count, changed_batch)
      select term, number, ${batch} from unnest(${terms}::text[], ${numbers}::int[]) as counted (term, number)`);
  }
}

/** How common what is said in these moments is in the archive, whose index may not have counted their film yet. */
export async function countWords(db: Db, moments: readonly Moment[]): Promise<WordStatistics> {
  const words = new Set(moments.flatMap(({ kind, text }) => (kind === 'Transcript' ? tokensOf(text) : [])));
  const counted = await db.query<{ term: string; videos: number }>(sql`
    select term, video_count as videos from vocabulary where term = any (${[...words]}::text[])`);
  const published = await db.query<{ videos: number }>(sql`select count(*)::int as videos from videos where state = 'Processed'`);
  const counts = new Map(counted.rows.map(({ term, videos }) => [term, videos]));
  return { videos: published.rows[0]?.videos ?? 0, countOf: (word) => counts.get(word) ?? 0 };
}

function sliceCounts(counts: ReadonlyMap<string, number>): [string[], number[]][] {
  const entries = [...counts].filter(([, change]) => change !== 0);
  const found: [string[], number[]][] = [];
  for (let from = 0; from < entries.length; from += termsPerStatement) {
    const slice = entries.slice(from, from + termsPerStatement);
    found.push([slice.map(([term]) => term), slice.map(([, change]) => change)]);
  }
  return found;
}
