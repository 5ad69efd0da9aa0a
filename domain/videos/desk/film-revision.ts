import type { FilmRevision } from '#contract/films.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

interface RevisionRow {
  readonly revision: number;
  readonly correction: number | null;
  readonly by: string | null;
  readonly uid: string | null;
  readonly isUndone: boolean | null;
}

/** By what a page tells that a film says something else, and who changed it last. Throws a Problem where there is no such film. */
export async function findRevision(db: Db, { videoId, uid }: { readonly videoId: string; readonly uid: string }): Promise<FilmRevision> {
  const { rows } = await db.query<RevisionRow>(sql`
    select v.revision, c.id as correction, u.name as by, c.uid, c.undone as "isUndone"
      from videos v
      left join lateral (select id, coalesce(undone_by, made_by) as uid, undone_at is not null as undone
                           from corrections where video_id = v.id order by coalesce(undone_at, made_at) desc, id desc limit 1) c on true
      left join users u on u.id = c.uid
     where v.id = ${videoId}`);
  const [found] = rows;
  if (!found) throw new Problem('not_found', 'There is no such video.');
  const { revision, correction, by, isUndone } = found;
  if (correction === null) return { revision, last: null };
  return { revision, last: { correction, by: by ?? '', isOwn: found.uid === uid, isUndone: isUndone === true } };
}
