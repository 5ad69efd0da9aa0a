import type { PageSettings } from '#contract/archive.ts';
import { serverLimits } from '#contract/limits.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { keptFrom } from './visibility.ts';

/** Counts that a session opened the player of a video: once in six hours, however often it is opened. */
export async function countView(pool: Pool, { videoId, sid }: { videoId: string; sid: string }): Promise<void> {
  await inTransaction(pool, async (db) => {
    await forgetViews(db);
    const first = await db.query(sql`insert into recent_views (video_id, sid) values (${videoId}, ${sid}) on conflict do nothing`);
    if (first.rowCount) await db.query(sql`update videos set views = views + 1 where id = ${videoId}`);
  });
}

/** Deletes who opened which film, once it counts again. */
export async function forgetViews(db: Db): Promise<void> {
  await db.query(sql`delete from recent_views where viewed_at < now() - make_interval(hours => ${serverLimits.recentViewsKeptHours})`);
}

/** How many published videos search has not seen as they are now. */
export async function countUnindexed(db: Db): Promise<number> {
  const { rows } = await db.query<{ n: number }>(sql`
    select count(*)::int as n from videos where state = 'Processed' and indexed_revision <> revision`);
  return rows[0]?.n ?? 0;
}

/** How many videos could not be ingested. */
export async function countFailed(db: Db): Promise<number> {
  const { rows } = await db.query<{ n: number }>(sql`select count(*)::int as n from videos where state = 'Failed'`);
  return rows[0]?.n ?? 0;
}

export interface FilmsByStep {
  readonly step: string;
  readonly films: number;
}

/** Films that play and with which a step has come to nothing, step by step; without those that are tried again by themselves. */
export async function countFailedSteps(db: Db): Promise<FilmsByStep[]> {
  const { rows } = await db.query<FilmsByStep>(sql`
    select i.step, count(*)::int as films from ingest_steps i join videos v on v.id = i.video_id
     where i.state = 'failed' and i.attempts >= ${serverLimits.triesPerJob} and v.state = 'Processed'
     group by i.step order by films desc, i.step`);
  return rows;
}

/**
 * Of what there is anything to be found in the videos that everybody sees: a layer that holds no line and no name promises nothing, and
 * what is kept back is promised to nobody.
 */
export async function findHeld(db: Db): Promise<PageSettings['holds']> {
  const { rows } = await db.query<{ held: PageSettings['holds'][number] }>(sql`
    select held from (values ('said', 'captions'), ('written', 'text'), ('people', 'people'), ('labels', 'labels')) as kinds (held, layer)
     where exists (select from layers l join videos v on v.id = l.video_id
                    where l.name = layer and (l.body <> '' or l.facts -> 'names' <> '[]') and v.state = 'Processed'
                      and not exists (select from film_visibility h where h.video_id = v.id and ${keptFrom('guest')}))`);
  return rows.map(({ held }) => held);
}
