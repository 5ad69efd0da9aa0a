import { Problem } from '#contract/problem.ts';
import { inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { failVideo } from './fail-video.ts';
import { findKnownStep } from './register-steps.ts';

interface StepOf {
  readonly videoId: string;
  readonly step: string;
}

/**
 * Leaves a step of a film out for good, or until somebody has it done again. Throws a Problem for one that the film cannot do without, that
 * is done, or that a worker is at.
 */
export async function skipStepOf(pool: Pool, { videoId, step }: StepOf): Promise<void> {
  const known = await findKnownStep(pool, step);
  if (!known) throw new Problem('not_found', 'There is no such step.');
  if (!known.optional) throw new Problem('conflict', 'The film cannot do without this step.');
  const { rowCount } = await pool.query(sql`
    update ingest_steps set state = 'skipped', message = 'An editor had it left out.', ended_at = now()
     where video_id = ${videoId} and step = ${step} and state in ('waiting', 'failed')`);
  if (rowCount !== 1) throw new Problem('conflict', 'Only a step that waits or has failed can be left out.');
}

/**
 * Stops a step that a worker is at. What it found when it was last done stays; else it is left out, and a film that cannot do without it
 * has failed, with its original kept for another try. Throws a Problem for one that is not running.
 */
export async function cancelStepOf(pool: Pool, { videoId, step }: StepOf): Promise<void> {
  const known = await findKnownStep(pool, step);
  if (!known) throw new Problem('not_found', 'There is no such step.');
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ state: string }>(sql`
      update ingest_steps
         set state = case when result is not null then 'done' when ${known.optional} then 'skipped' else 'failed' end,
             message = 'An editor cancelled it.', ended_at = now()
       where video_id = ${videoId} and step = ${step} and state = 'running'
      returning state`);
    const [cancelled] = rows;
    if (!cancelled) throw new Problem('conflict', 'This step is not running.');
    if (cancelled.state === 'failed')
      await failVideo(db, { videoId, code: 'cancelled', message: `An editor cancelled its step “${step}”. The original is kept.` });
  });
}
