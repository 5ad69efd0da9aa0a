import { Problem } from '#contract/problem.ts';
import { inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { ingestQueue, understandQueue } from '../jobs/ingest-queue.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { findKnownStep } from './register-steps.ts';

interface Archive {
  readonly pool: Pool;
  readonly queue: JobQueue;
}

/**
 * Has one step of a film done again, whatever became of it: tried again, or done by its newest version. What it found before counts until
 * then. Throws a Problem for a step or film that is not there, and where a worker is at it.
 */
export async function runStepAgain({ pool, queue }: Archive, { videoId, step }: { videoId: string; step: string }): Promise<void> {
  const known = await findKnownStep(pool, step);
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ state: string; origin: string }>(
      sql`select state, origin from videos where id = ${videoId} for update`,
    );
    const [video] = rows;
    if (!video || !known) throw new Problem('not_found', video ? 'There is no such step.' : 'There is no such video.');
    if (video.origin !== 'file') throw new Problem('conflict', 'This record has no film that anything could be done with.');
    if (video.state === 'Failed') throw new Problem('conflict', 'This film has failed. Let it be tried again as a whole.');
    const { rowCount } = await db.query(sql`
      insert into ingest_steps (video_id, step, state) values (${videoId}, ${step}, 'waiting')
      on conflict (video_id, step) do update set state = 'waiting', attempts = 0, message = null, details = null
       where ingest_steps.state <> 'running'`);
    if (rowCount !== 1) throw new Problem('conflict', 'A worker is at this step already.');
    await queue.enqueue(queueOf(known), { videoId }, { db });
  });
}

const filmsPerBatch = 500;

/**
 * Has a step done for every published film that it was never done with, or by a version below this one; returns for how many. They wait
 * behind what was there before. Throws a Problem for a step that is not there. Cut off, the films that it came to are done.
 */
export async function runStepForAll(
  { pool, queue }: Archive,
  { step, belowVersion }: { step: string; belowVersion: number },
): Promise<number> {
  const known = await findKnownStep(pool, step);
  if (!known) throw new Problem('not_found', 'There is no such step.');
  let films = 0;
  for (let afterId: string | undefined = ''; afterId !== undefined; ) {
    const from: string = afterId;
    const asked = await inTransaction(pool, async (db) => {
      const { rows } = await db.query<{ id: string }>(sql`
        with below as (
          select v.id from videos v left join ingest_steps i on i.video_id = v.id and i.step = ${step}
           where v.state = 'Processed' and v.origin = 'file' and v.id > ${from}
             and (i.step is null or (i.version < ${belowVersion} and i.state not in ('waiting', 'running')))
           order by v.id limit ${filmsPerBatch})
        insert into ingest_steps (video_id, step, state) select id, ${step}, 'waiting' from below order by id
        on conflict (video_id, step) do update set state = 'waiting', attempts = 0, message = null, details = null
         where ingest_steps.state not in ('waiting', 'running')
        returning video_id as id`);
      for (const { id } of rows) await queue.enqueue(queueOf(known), { videoId: id }, { db });
      return rows.map(({ id }) => id);
    });
    films += asked.length;
    afterId = asked.toSorted().at(-1);
  }
  return films;
}

function queueOf({ class: group }: { class: 'playable' | 'understood' }): string {
  return group === 'playable' ? ingestQueue : understandQueue;
}
