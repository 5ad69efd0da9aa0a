import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface StepRecord {
  readonly step: string;
  readonly state: 'waiting' | 'running' | 'done' | 'skipped' | 'failed';
  readonly attempts: number;
  readonly message: string | null;
  readonly result: unknown;
}

/** What has been done to a video so far. */
export async function findSteps(db: Db, videoId: string): Promise<StepRecord[]> {
  const { rows } = await db.query<StepRecord>(sql`
    select step, state, attempts, message, result from ingest_steps where video_id = ${videoId} order by started_at`);
  return rows;
}

/** A step begins, or begins again. */
export async function startStep(db: Db, videoId: string, step: string): Promise<void> {
  await db.query(sql`
    insert into ingest_steps (video_id, step, state, attempts, started_at)
    values (${videoId}, ${step}, 'running', 1, now())
    on conflict (video_id, step) do update
       set state = 'running', attempts = ingest_steps.attempts + 1, percent = 0, message = null, ended_at = null, started_at = now()`);
}

/** How far a running step and its video have come. */
export async function recordProgress(
  db: Db,
  videoId: string,
  at: { step: string; stepPercent: number; videoPercent: number },
): Promise<void> {
  await db.query(sql`update ingest_steps set percent = ${at.stepPercent} where video_id = ${videoId} and step = ${at.step}`);
  await db.query(sql`
    update videos set state = 'Processing', processing_percent = ${at.videoPercent}, modified_at = now()
     where id = ${videoId} and state in ('Uploaded', 'Processing')`);
}

/** A step is done; `result` is what it found out, `message` a remark for the operator. */
export async function finishStep(db: Db, videoId: string, done: { step: string; result: unknown; message: string | null }): Promise<void> {
  await db.query(sql`
    update ingest_steps
       set state = 'done', percent = 100, result = ${JSON.stringify(done.result)}::jsonb, message = ${done.message}, ended_at = now()
     where video_id = ${videoId} and step = ${done.step}`);
}

/** A step could not be done; `message` is why, and `code` what to call it should no other try succeed. */
export async function failStep(db: Db, videoId: string, failed: { step: string; message: string; code?: string }): Promise<void> {
  const result = failed.code === undefined ? null : JSON.stringify({ code: failed.code });
  await db.query(sql`
    update ingest_steps set state = 'failed', message = ${failed.message}, result = ${result}::jsonb, ended_at = now()
     where video_id = ${videoId} and step = ${failed.step}`);
}
