import type { StepOfVideo } from '#contract/steps.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** What is done with one film, in order: how far each step has come, and when it will be done. Empty before a worker has ever been there. */
export async function listSteps(db: Db, videoId: string): Promise<StepOfVideo[]> {
  const { rows } = await db.query<StepRow>(sql`
    select s.name, s.class, s.optional, s.version as "newestVersion", i.state, coalesce(i.version, 0) as version, i.percent, i.attempts,
           i.message, i.details, i.started_at as "startedAt", i.ended_at as "endedAt",
           extract(epoch from now() - i.started_at)::float8 as "runningSeconds", v.duration_seconds as "filmSeconds"
      from steps s
     cross join videos v
      left join ingest_steps i on i.video_id = v.id and i.step = s.name
     where v.id = ${videoId} and v.origin = 'file'
     order by s.position`);
  return rows.map(stepOfRow);
}

interface StepRow extends Pick<StepOfVideo, 'name' | 'class' | 'optional' | 'version' | 'newestVersion' | 'message' | 'details'> {
  readonly state: StepOfVideo['state'] | null;
  readonly percent: number | null;
  readonly attempts: number | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly runningSeconds: number | null;
  readonly filmSeconds: number;
}

function stepOfRow({ percent, startedAt, endedAt, runningSeconds, filmSeconds, ...row }: StepRow): StepOfVideo {
  const state = row.state ?? 'waiting';
  const share = (percent ?? 0) / 100;
  const isMoving = state === 'running' && share > 0 && runningSeconds !== null && runningSeconds > 0;
  return {
    ...row,
    state,
    attempts: row.attempts ?? 0,
    percent: state === 'running' ? (percent ?? 0) : null,
    // As fast as so far: a step that slows down says a later time with every look.
    speed: isMoving && filmSeconds > 0 ? (share * filmSeconds) / runningSeconds : null,
    secondsLeft: isMoving ? Math.round((runningSeconds * (1 - share)) / share) : null,
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}
