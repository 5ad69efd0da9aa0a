import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { sayWhySkipped, type WhySkipped } from './speech-of-film.ts';

export interface StepRecord {
  readonly step: string;
  readonly state: 'waiting' | 'running' | 'done' | 'skipped' | 'failed';
  /** Since it was last asked for. */
  readonly attempts: number;
  readonly message: string | null;
  /** What a film is called that failed at it. */
  readonly failureCode: string | null;
  /** What it found out when it was last done, also while it is done again. */
  readonly result: unknown;
}

/** What has been done to a video so far, and what waits to be done. */
export async function findSteps(db: Db, videoId: string): Promise<StepRecord[]> {
  return (await findStepsOf(db, [videoId])).get(videoId) ?? [];
}

/** The same of several videos, by their ids. */
export async function findStepsOf(db: Db, videoIds: readonly string[]): Promise<ReadonlyMap<string, StepRecord[]>> {
  const { rows } = await db.query<StepRecord & { videoId: string }>(sql`
    select video_id as "videoId", step, state, attempts, message, failure_code as "failureCode", result
      from ingest_steps where video_id = any (${videoIds}::text[]) order by video_id, started_at, step`);
  const steps = new Map<string, StepRecord[]>(videoIds.map((id) => [id, []]));
  for (const { videoId, ...record } of rows) steps.get(videoId)?.push(record);
  return steps;
}

/** The step that puts larger renditions beside the one that plays already. */
export const largerRenditionsStep = 'larger-renditions';

/** The steps that write what players load. */
const streamSteps = ['renditions', largerRenditionsStep, 'frames'];

/**
 * A text that is another one whenever the streams of a film may have been made anew: segments keep their names then. Larger renditions that
 * were never there before have names of their own.
 */
export async function findStreamVersion(db: Db, videoId: string): Promise<string> {
  const { rows } = await db.query<{ version: string }>(sql`
    select md5(coalesce(string_agg(concat_ws(' ', step, started_at, ended_at), ',' order by step), '')) as version
      from ingest_steps
     where video_id = ${videoId} and step = any (${streamSteps}::text[]) and (step <> ${largerRenditionsStep} or result is not null)`);
  return rows[0]?.version ?? '';
}

/** What is set of a step that is asked for again: what its last try came to is no longer said of it, but for its result. */
export const waitsAgain = sql`state = 'waiting', attempts = 0, percent = 0, message = null, details = null, failure_code = null`;

/** Notes that these steps wait, those that were never begun. */
export async function planSteps(db: Db, videoId: string, steps: readonly string[]): Promise<void> {
  await db.query(sql`
    insert into ingest_steps (video_id, step, state) select ${videoId}, step, 'waiting' from unnest(${steps}::text[]) as t (step)
    on conflict do nothing`);
}

/** A step begins, or begins again; returns how often it has begun since it was last asked for. */
export async function startStep(db: Db, videoId: string, step: string): Promise<number> {
  const { rows } = await db.query<{ attempts: number }>(sql`
    insert into ingest_steps (video_id, step, state, attempts, started_at)
    values (${videoId}, ${step}, 'running', 1, now())
    on conflict (video_id, step) do update
       set state = 'running', attempts = ingest_steps.attempts + 1, percent = 0, kept_percent = 0, message = null, details = null, failure_code = null,
           reason = null, lacks_engine = false, ended_at = null, started_at = now()
    returning attempts`);
  return rows[0]?.attempts ?? 1;
}

/** Whether a step that was begun is still to be gone on with: somebody may have cancelled it. */
export async function isRunning(db: Db, videoId: string, step: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select from ingest_steps where video_id = ${videoId} and step = ${step} and state = 'running'`);
  return rowCount === 1;
}

/** What the scratch of a step is called in the folder of work. */
export function nameScratch(videoId: string, step: string): string {
  return `${videoId}-${step}`;
}

/** The scratch of all steps that are being run, on any machine, or were when their worker ended; none of a film that has failed or is deleted. */
export async function findScratchInUse(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string; step: string }>(sql`
    select i.video_id as id, i.step from ingest_steps i join videos v on v.id = i.video_id
     where i.state = 'running' and v.state not in ('Failed', 'Quarantined')`);
  return new Set(rows.map(({ id, step }) => nameScratch(id, step)));
}

/** How far a running step and its video have come; `keptPercent` of it was done when the step was begun before. */
export async function recordProgress(
  db: Db,
  videoId: string,
  at: { step: string; stepPercent: number; keptPercent: number; videoPercent: number },
): Promise<void> {
  await db.query(sql`
    update ingest_steps set percent = ${at.stepPercent}, kept_percent = ${at.keptPercent} where video_id = ${videoId} and step = ${at.step}`);
  await db.query(sql`
    update videos set state = 'Processing', processing_percent = ${at.videoPercent}, modified_at = now()
     where id = ${videoId} and state in ('Uploaded', 'Processing')`);
}

/** What a step says that an editor left out: it stays so, whatever else is found out of its film. */
export const leftOutByEditor = { skipped: 'An editor skipped this step.', cancelled: 'An editor cancelled it.' };

/**
 * A running step is done; `result` is what it found out, `message` a remark for the operator. Where that is something else than when it
 * was last done, the steps in `needing` are to be done again, also those that failed or had nothing to do with what it was; and in any case
 * those that were left out for want of it. One that was cancelled meanwhile stays so.
 */
export async function finishStep(
  db: Db,
  videoId: string,
  done: { step: string; version: number; result: unknown; message: string | null; needing: readonly string[] },
): Promise<void> {
  await db.query(sql`
    with done as (
      update ingest_steps i
         set state = 'done', percent = 100, version = ${done.version}, result = ${JSON.stringify(done.result)}::jsonb,
             message = ${done.message}, ended_at = now()
        from ingest_steps before
       where i.video_id = ${videoId} and i.step = ${done.step} and i.state = 'running'
         and before.video_id = i.video_id and before.step = i.step
      returning i.result, before.result as "resultBefore")
    update ingest_steps set ${waitsAgain}
      from done
     where video_id = ${videoId} and step = any (${done.needing}::text[])
       and (state in ('done', 'skipped', 'failed') and done."resultBefore" is distinct from done.result or state = 'skipped' and reason ->> 'is' = 'no-need')
       and not (state = 'skipped' and message = any (${Object.values(leftOutByEditor)}::text[]))`);
}

/** Why a step was not done, and whether it would be if there were an engine for it. */
interface SkippedStep {
  readonly step: string;
  /** A sentence for editors, or what viewers are told of, too. */
  readonly reason: string | WhySkipped;
  readonly lacksEngine?: boolean;
  /** Whether what it found out before is no longer so. */
  readonly forgets?: boolean;
}

/** A running step had nothing to do, or nothing to do it with. */
export async function skipStep(
  db: Db,
  videoId: string,
  { step, reason, lacksEngine = false, forgets = false }: SkippedStep,
): Promise<void> {
  const [message, why] = typeof reason === 'string' ? [reason, null] : [sayWhySkipped(reason), JSON.stringify(reason)];
  await db.query(sql`
    update ingest_steps
       set state = 'skipped', message = ${message}, reason = ${why}::jsonb, lacks_engine = ${lacksEngine}, ended_at = now(),
           result = case when ${forgets} then null else result end
     where video_id = ${videoId} and step = ${step} and state in ('running', 'waiting')`);
}

/** A step waits on, for a reason; one that was begun for that has lost no try by it. */
export async function holdStep(db: Db, videoId: string, { step, reason }: { step: string; reason: string }): Promise<void> {
  await db.query(sql`
    update ingest_steps
       set state = 'waiting', message = ${reason}, attempts = case when state = 'running' then greatest(attempts - 1, 0) else attempts end
     where video_id = ${videoId} and step = ${step} and state in ('running', 'waiting')`);
}

/** Nobody is at the running steps of a film any more: those that were begun `tries` times have failed, the others wait with the tries that they have left. */
export async function leaveSteps(db: Db, videoId: string, { tries, message }: { tries: number; message: string }): Promise<void> {
  await db.query(sql`
    update ingest_steps
       set (state, message, ended_at) = (select 'failed', ${message}, now() where attempts >= ${tries} union all
                                         select 'waiting', null, null where attempts < ${tries})
     where video_id = ${videoId} and state = 'running'`);
}

/** What a step waits for is there: it is no longer said of one that waits still. */
export async function forgetReason(db: Db, videoId: string, { step, reason }: { step: string; reason: string }): Promise<void> {
  await db.query(sql`
    update ingest_steps set message = null
     where video_id = ${videoId} and step = ${step} and state = 'waiting' and message = ${reason}`);
}

/** Why a step could not be done. */
export interface FailedStep {
  readonly step: string;
  /** A sentence for people. */
  readonly message: string;
  /** What to call it should no other try succeed. */
  readonly code?: string | undefined;
  /** What stands behind it, as the tool said it. */
  readonly details?: string | undefined;
}

/** A running step could not be done. */
export async function failStep(db: Db, videoId: string, { step, message, code, details }: FailedStep): Promise<void> {
  await db.query(sql`
    update ingest_steps set state = 'failed', message = ${message}, failure_code = ${code ?? null}, details = ${details ?? null}, ended_at = now()
     where video_id = ${videoId} and step = ${step} and state = 'running'`);
}
