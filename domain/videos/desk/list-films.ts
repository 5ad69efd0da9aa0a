import type { CaptionState, FilmOnDesk, FilmsOnDesk } from '#contract/films.ts';
import type { Db } from '../../db/database.ts';
import { type Statement, sql } from '../../db/sql.ts';
import { findVisibilities, shownToEverybody } from '../visibility.ts';

interface FilmsAsked {
  /** Undefined for films in any state. */
  readonly captions?: CaptionState | undefined;
  /** In title, file name or ids, in any case. */
  readonly text: string;
  readonly skip: number;
  readonly pageSize: number;
}

/** Films that are not deleted, whatever their state, by how it stands with what is said in them; the newest first. */
export async function listFilms(db: Db, { captions, text, skip, pageSize }: FilmsAsked): Promise<FilmsOnDesk> {
  const known = sql`v.state <> 'Quarantined' and ${text.trim() === '' ? sql`true` : bears(text.trim())}`;
  const { rows } = await db.query<FilmRow>(sql`
    select v.id, v.name, v.external_id as "externalId", v.state, v.duration_seconds as "durationInSeconds", v.created_at as "createdAt",
           coalesce(m.lines, 0) as lines, coalesce(m.heard, 0) as heard, coalesce(m.looked, 0) as looked, coalesce(m.doubtful, 0) as doubtful
      from videos v left join moments m on m.video_id = v.id
     where ${known} and ${captions ? conditions[captions] : sql`true`}
     order by v.created_at desc, v.id desc limit ${pageSize} offset ${skip}`);
  const {
    rows: [counted],
  } = await db.query<{ total: number } & Record<CaptionState, number>>(sql`
    select count(*)::int as total, (count(*) filter (where ${conditions.none}))::int as none,
           (count(*) filter (where ${conditions.given}))::int as given, (count(*) filter (where ${conditions.unchecked}))::int as unchecked,
           (count(*) filter (where ${conditions.started}))::int as started, (count(*) filter (where ${conditions.doubtful}))::int as doubtful,
           (count(*) filter (where ${conditions.verified}))::int as verified
      from videos v left join moments m on m.video_id = v.id where ${known}`);
  const { total = 0, ...counts } = counted ?? { none: 0, given: 0, unchecked: 0, started: 0, doubtful: 0, verified: 0 };
  const shown = await findVisibilities(
    db,
    rows.map(({ id }) => id),
  );
  const films = rows.map(
    ({ createdAt, ...row }): FilmOnDesk => ({
      ...{ ...row, createdAt: createdAt.toISOString(), visibility: shown.get(row.id) ?? shownToEverybody },
    }),
  );
  return { films, total: captions ? counts[captions] : total, counts };
}

interface FilmRow extends Omit<FilmOnDesk, 'createdAt' | 'visibility'> {
  readonly createdAt: Date;
}

function bears(text: string): Statement {
  return sql`(strpos(lower(v.name), lower(${text})) > 0 or strpos(lower(coalesce(v.file_name, '')), lower(${text})) > 0
              or strpos(lower(coalesce(v.external_id, '')), lower(${text})) > 0 or v.id = lower(${text}))`;
}

/** Of rows `m` that a film may not have. */
const conditions: Readonly<Record<CaptionState, Statement>> = {
  none: sql`coalesce(m.lines, 0) = 0`,
  given: sql`(m.lines > 0 and m.heard = 0 and m.looked = 0)`,
  unchecked: sql`(m.heard > 0 and m.looked = 0)`,
  started: sql`(m.looked > 0 and m.looked < m.lines)`,
  doubtful: sql`m.doubtful > 0`,
  verified: sql`(m.lines > 0 and m.looked = m.lines)`,
};
