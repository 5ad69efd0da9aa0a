import type { FoundLines } from '#contract/films.ts';
import { wordsPattern } from '#contract/find-words.ts';
import { limits } from '#contract/limits.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { unpackMoments } from '../../moments/packed-moments.ts';

/** Looked through by one call, which so ends in time however large the archive is. */
const filmsPerCall = 400;

/**
 * Lines that say these words, of the next films behind one in order of ids, and where to go on. What a page replaces has to stand there to the letter,
 * so the films themselves are asked and not the index, which forgives.
 */
export async function findLines(db: Db, { find, after }: { readonly find: string; readonly after: string }): Promise<FoundLines> {
  const words = wordsPattern(find);
  if (!words) return { films: [], looked: 0, next: null };
  const { rows } = await db.query<{ id: string; name: string; body: string | null }>(sql`
    select v.id, v.name, case when m.body ilike ${likeOf(find)} then m.body end as body
      from videos v left join moments m on m.video_id = v.id
     where v.id > ${after} and v.state <> 'Quarantined'
     order by v.id limit ${filmsPerCall}`);
  const films: FoundLines['films'][number][] = [];
  let found = 0;
  let looked = 0;
  for (const { id, name, body } of rows) {
    looked += 1;
    const lines = (body === null ? [] : unpackMoments(body))
      .filter(({ kind, text }) => kind === 'Transcript' && text.search(words) >= 0)
      .slice(0, limits.changesAtOnceMax)
      .map(({ startMs, endMs, text, speaker = null }) => ({ startMs, endMs, text, speaker }));
    if (lines.length > 0) films.push({ id, name, lines });
    found += lines.length;
    if (found >= limits.changesAtOnceMax) break;
  }
  return { films, looked, next: looked === rows.length && rows.length < filmsPerCall ? null : (rows[looked - 1]?.id ?? null) };
}

/** Whatever stands between its words. */
function likeOf(find: string): string {
  const words = find.trim().split(/\s+/u);
  return `%${words.map((word) => word.replace(/[\\%_]/gu, '\\$&')).join('%')}%`;
}
