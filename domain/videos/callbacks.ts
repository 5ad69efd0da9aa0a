import type { Db, Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface CallbackWish {
  readonly videoId: string;
  readonly address: string;
  /** When it is called: once the film plays or has failed, once no step has anything left to understand, or at once. */
  readonly awaits: 'playable' | 'understood' | 'nothing';
  /** Id of the face that was named, where that is what is told. */
  readonly face?: string;
}

/** Notes whom a script wants told of a film. With a transaction of its own or not, what is noted is told also after a power cut. */
export async function addCallback(db: Db, { videoId, address, awaits, face }: CallbackWish): Promise<void> {
  await db.query(sql`insert into callbacks (video_id, address, awaits, face) values (${videoId}, ${address}, ${awaits}, ${face ?? null})`);
}

export interface DueCallback {
  readonly id: number;
  readonly videoId: string;
  readonly address: string;
  readonly face: string | null;
  /** Of the film, as it is now. */
  readonly state: string;
}

/** So many are called side by side: all of them have been answered, or given up, long before the first would be due again. */
const atOnce = 10;

/** Minutes until the next try after so many; after the last it is given up. */
const patienceMinutes = [1, 5, 30, 120, 600];

/**
 * Takes those that are due, each for one caller alone, and has them come again later unless `settleCallback` ends them before. One that was
 * tried for the last time goes with being taken.
 */
export async function takeDueCallbacks(pool: Pool): Promise<DueCallback[]> {
  const { rows } = await pool.query<DueCallback>(sql`
    with due as (
      select c.id, v.state
        from callbacks c join videos v on v.id = c.video_id
       where c.due_at <= now()
         and (c.awaits = 'nothing' or v.state not in ('Uploaded', 'Processing', 'Quarantined'))
         and (c.awaits <> 'understood' or v.state <> 'Processed' or not exists (
               select from ingest_steps i join steps s on s.name = i.step
                where i.video_id = c.video_id and s.class = 'understood' and i.state in ('waiting', 'running')))
       order by c.due_at limit ${atOnce} for update of c skip locked),
    gone as (
      delete from callbacks c using due where c.id = due.id and c.tries >= ${patienceMinutes.length}
      returning c.id, c.video_id, c.address, c.face, due.state),
    put_off as (
      update callbacks c
         set tries = tries + 1, due_at = now() + make_interval(mins => (${patienceMinutes}::int[])[c.tries + 1])
        from due where c.id = due.id and c.tries < ${patienceMinutes.length}
      returning c.id, c.video_id, c.address, c.face, due.state)
    select id, video_id as "videoId", address, face, state from gone union all select id, video_id, address, face, state from put_off`);
  return rows;
}

/** Ends one whose call was taken. */
export async function settleCallback(pool: Pool, { id }: Pick<DueCallback, 'id'>): Promise<void> {
  await pool.query(sql`delete from callbacks where id = ${id}`);
}
