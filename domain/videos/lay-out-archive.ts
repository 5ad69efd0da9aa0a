import { setTimeout as wait } from 'node:timers/promises';
import { inTransaction, type Pool } from '../db/database.ts';
import { errorMessage } from '../db/error-message.ts';
import { sql } from '../db/sql.ts';
import { layOut } from './lay-out.ts';

/** Of so many, the longest films are locked for well under a second. */
const videosPerBatch = 50;

/**
 * Gives every video of an archive that is older than layers its own, a batch at a time and at half the speed it could, while the archive
 * goes on. Ended at any moment, it goes on where it was. What videos say does not change, so search hears nothing of it. Returns how many
 * videos got their layers; one whose row cannot be read is told to `log` and left as it is.
 */
export async function layOutArchive(pool: Pool, { signal, log }: { signal: AbortSignal; log: (line: string) => void }): Promise<number> {
  let done = 0;
  let afterId = '';
  for (;;) {
    const ids = await findWithoutLayers(pool, afterId);
    const last = ids.at(-1);
    if (last === undefined || signal.aborted) return done;
    const startedAtMs = performance.now();
    done += await layOutBatch(pool, ids, log);
    afterId = last;
    await wait(performance.now() - startedAtMs, undefined, { signal }).catch(() => {});
  }
}

async function findWithoutLayers(pool: Pool, afterId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(sql`
    select v.id from videos v
     where v.id > ${afterId} and not exists (select from layers where video_id = v.id)
     order by v.id limit ${videosPerBatch}`);
  return rows.map(({ id }) => id);
}

/** All at once; one by one where one of them stands in the way. */
async function layOutBatch(pool: Pool, ids: readonly string[], log: (line: string) => void): Promise<number> {
  try {
    await inTransaction(pool, (db) => layOut(db, ids));
    return ids.length;
  } catch (error) {
    const [id] = ids;
    if (ids.length > 1) {
      let done = 0;
      for (const one of ids) done += await layOutBatch(pool, [one], log);
      return done;
    }
    log(`video ${id}: its layers could not be made: ${errorMessage(error)}`);
    return 0;
  }
}
