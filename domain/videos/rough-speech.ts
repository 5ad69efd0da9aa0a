import type { RoughSpeech } from '#contract/steps.ts';
import { writeFact } from '../db/archive-facts.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { composeCaptions } from '../moments/captions.ts';
import { beginsRough } from '../moments/packed-moments.ts';
import { hidesRoughSpeech, lockVideo, recomposeVideo } from './recompose-video.ts';

/** The queue of changes of what is hidden; its jobs say nothing more. */
export const hidingQueue = 'hide-rough-speech';

const filmsAtOnce = 100;

/** The films with lines that a recogniser heard that is mostly wrong. All lines of such a layer are of one recogniser, so its first moment tells. */
const roughLayers = sql`layers where made_by = 'speech' and name = 'captions' and ${beginsRough}`;

/** Whether lines are hidden that a recogniser heard that is mostly wrong and nobody has looked at, and how many films have such lines. */
export async function findRoughSpeech(db: Db): Promise<RoughSpeech> {
  const { rows } = await db.query<{ films: number }>(sql`select count(*)::int as films from ${roughLayers}`);
  return { isHidden: await hidesRoughSpeech(db), films: rows[0]?.films ?? 0 };
}

/** What a film says as captions without what was heard in it, where that is hidden; null where the file of what was heard may be shown. */
export async function findCaptionsWithoutRough(db: Db, videoId: string): Promise<string | null> {
  if (!(await hidesRoughSpeech(db))) return null;
  const { rowCount } = await db.query(sql`select from ${roughLayers} and video_id = ${videoId}`);
  return rowCount === 0 ? null : await composeCaptions(db, videoId);
}

/**
 * Hides rough speech or shows it again. What steps found stays as it is; what films say follows in the background, film by film, and with it
 * search, players and the Index documents. Returns how many films that concerns.
 */
export async function setRoughSpeech(
  { pool, queue }: { pool: Pool; queue: JobQueue },
  { isHidden }: { isHidden: boolean },
): Promise<number> {
  return await inTransaction(pool, async (db) => {
    await writeFact(db, 'rough_speech', isHidden ? 'hidden' : 'shown');
    await queue.enqueue(hidingQueue, {}, { db });
    return (await findRoughSpeech(db)).films;
  });
}

/** Makes every film with rough speech say what it should by now. Ended at any moment, it can be begun again. */
export async function followRoughSpeech(pool: Pool, signal: AbortSignal): Promise<void> {
  for (let after = ''; !signal.aborted; ) {
    const { rows } = await pool.query<{ id: string }>(sql`
      select video_id as id from ${roughLayers} and video_id > ${after} order by video_id limit ${filmsAtOnce}`);
    for (const { id } of rows) {
      if (signal.aborted) return;
      await inTransaction(pool, async (db) => {
        if (await lockVideo(db, id)) await recomposeVideo(db, id);
      });
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
