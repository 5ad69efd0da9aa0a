import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { StepOfVideo } from '#contract/steps.ts';
import { wordsOfStep } from '#contract/words-of-step.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { type Statement, sql } from '../db/sql.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { filmsWithJob, ingestQueue, understandQueue } from '../jobs/ingest-queue.ts';
import { failVideo } from './fail-video.ts';
import type { FilmArchive } from './film-archive.ts';
import { lockVideo, recomposeVideo } from './recompose-video.ts';
import { largerRenditionsStep, leftOutByEditor, waitsAgain } from './record-step.ts';
import { dropPieces } from './step-pieces.ts';
import { makeNoVideoProblem } from './video.ts';

/** What is done with one film, in order: how far each step has come, and when it will be done. Empty before a worker has ever been there. */
export async function listSteps(db: Db, videoId: string): Promise<StepOfVideo[]> {
  return (await listStepsOf(db, [videoId])).get(videoId) ?? [];
}

/** The same of several films, by their ids. */
export async function listStepsOf(db: Db, videoIds: readonly string[]): Promise<ReadonlyMap<string, StepOfVideo[]>> {
  const { rows } = await db.query<StepRow & { readonly videoId: string }>(sql`
    select v.id as "videoId", s.name, s.class, s.optional, s.version as "newestVersion", i.state, coalesce(i.version, 0) as version, i.percent, i.kept_percent as "keptPercent", i.attempts,
           i.message, i.details, i.started_at as "startedAt", i.ended_at as "endedAt",
           extract(epoch from now() - i.started_at)::float8 as "runningSeconds", v.duration_seconds as "filmSeconds"
      from steps s
     cross join videos v
      left join ingest_steps i on i.video_id = v.id and i.step = s.name
     where v.id = any (${videoIds}::text[]) and v.origin = 'file'
     order by s.position`);
  const steps = new Map<string, StepOfVideo[]>(videoIds.map((id) => [id, []]));
  for (const { videoId, ...row } of rows) steps.get(videoId)?.push(stepOfRow(row));
  return steps;
}

interface StepRow extends Pick<StepOfVideo, 'name' | 'class' | 'optional' | 'version' | 'newestVersion' | 'message' | 'details'> {
  readonly state: StepOfVideo['state'] | null;
  readonly percent: number | null;
  readonly keptPercent: number | null;
  readonly attempts: number | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly runningSeconds: number | null;
  readonly filmSeconds: number;
}

function stepOfRow({ percent, keptPercent, startedAt, endedAt, runningSeconds, filmSeconds, ...row }: StepRow): StepOfVideo {
  const state = row.state ?? 'waiting';
  const [share, kept] = [(percent ?? 0) / 100, (keptPercent ?? 0) / 100];
  const isMoving = state === 'running' && share > kept && runningSeconds !== null && runningSeconds > 0;
  return {
    ...row,
    state,
    attempts: row.attempts ?? 0,
    percent: state === 'running' ? (percent ?? 0) : null,
    // As fast as so far: a step that slows down says a later time with every look.
    speed: isMoving && filmSeconds > 0 ? ((share - kept) * filmSeconds) / runningSeconds : null,
    secondsLeft: isMoving ? Math.round((runningSeconds * (1 - share)) / (share - kept)) : null,
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}

type Archive = Pick<FilmArchive, 'pool' | 'queue'>;

/**
 * Has one step of a film done again, whatever became of it: tried again, or done by its newest version. What it found before counts until
 * then. Throws a Problem for a step or film that is not there, and where a worker is at it.
 */
export async function runStepAgain(
  { pool, queue }: Pick<Archive, 'queue'> & { readonly pool: Db },
  { videoId, step }: { videoId: string; step: string },
): Promise<void> {
  const known = await findKnownStep(pool, step);
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ state: string; origin: string }>(
      sql`select state, origin from videos where id = ${videoId} for update`,
    );
    const [video] = rows;
    if (!video) throw makeNoVideoProblem();
    if (!known) throw new Problem('not_found', 'There is no such step.');
    if (video.origin !== 'file') throw new Problem('conflict', 'This record has no video file to work on.');
    if (video.state === 'Quarantined') throw makeNoVideoProblem();
    if (video.state === 'Failed') throw new Problem('conflict', 'This video has failed. Try the whole video again.');
    const { rowCount } = await db.query(sql`
      insert into ingest_steps (video_id, step, state) values (${videoId}, ${step}, 'waiting')
      on conflict (video_id, step) do update set ${waitsAgain}
       where ingest_steps.state <> 'running'`);
    if (rowCount !== 1) throw new Problem('conflict', 'A worker is already on this step.');
    await queue.enqueue(queueOf(known), { videoId }, { db });
  });
}

/** Has all that is found out about a film looked for again, but for what a worker is at. Larger renditions tell nothing of it, and take longer than all that does. */
export async function readFilmAgain({ pool, queue }: Archive, videoId: string): Promise<void> {
  const steps = (await listSteps(pool, videoId)).filter(
    (step) => step.class === 'understood' && step.state !== 'running' && step.name !== largerRenditionsStep,
  );
  await inTransaction(pool, async (db) => {
    for (const { name } of steps) await runStepAgain({ pool: db, queue }, { videoId, step: name });
  });
}

const filmsPerBatch = 500;

interface ForAll {
  readonly step: string;
  /** Which films, by a row `i` of `ingest_steps` that a film may not have. */
  readonly behind: Statement;
  /** Below 0 for what lets everything else go first. */
  readonly priority?: number;
}

/** Of films that a step was never done with, or by a version below this one. */
export function selectBelowVersion(version: number): Statement {
  return sql`(i.step is null or i.version < ${version})`;
}

/** Every film, whatever was done with it. */
export function selectEveryFilm(): Statement {
  return sql`true`;
}

/**
 * Has a step done for every published film that is behind; returns for how many. They wait behind what was there before. Throws a Problem
 * for a step that is not there. Cut off, the films that it came to are done.
 */
export async function runStepForAll({ pool, queue }: Archive, { step, behind, priority }: ForAll): Promise<number> {
  const known = await findKnownStep(pool, step);
  if (!known) throw new Problem('not_found', 'There is no such step.');
  let films = 0;
  for (let afterId: string | undefined = ''; afterId !== undefined; ) {
    const from: string = afterId;
    const asked = await inTransaction(pool, async (db) => {
      const { rows } = await db.query<{ id: string }>(sql`
        with behind as (
          select v.id from videos v left join ingest_steps i on i.video_id = v.id and i.step = ${step}
           where v.state = 'Processed' and v.origin = 'file' and v.id > ${from}
             and coalesce(i.state, '') not in ('waiting', 'running') and ${behind}
           order by v.id limit ${filmsPerBatch})
        insert into ingest_steps (video_id, step, state) select id, ${step}, 'waiting' from behind order by id
        on conflict (video_id, step) do update set ${waitsAgain}
         where ingest_steps.state not in ('waiting', 'running')
        returning video_id as id`);
      const ids = rows.map(({ id }) => id);
      await queue.enqueueAll(
        queueOf(known),
        ids.map((videoId) => ({ videoId })),
        { db, priority },
      );
      return ids;
    });
    films += asked.length;
    afterId = asked.toSorted().at(-1);
  }
  return films;
}

function queueOf({ class: group }: { class: 'playable' | 'understood' }): string {
  return group === 'playable' ? ingestQueue : understandQueue;
}

interface FilmLeft {
  readonly id: string;
  readonly isPublished: boolean;
}

/**
 * Films behind `afterId`, by their ids, that came in or wait for a step, and of which no job knows; at most 500. In a transaction nobody else
 * is told of them before it ends.
 */
export async function findFilmsWithoutJob(db: Db, afterId: string): Promise<FilmLeft[]> {
  await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.findingFilmsWithoutJob})`);
  const { rows } = await db.query<FilmLeft>(sql`
    with known as (${filmsWithJob})
    select v.id, v.state = 'Processed' as "isPublished" from videos v
     where v.id > ${afterId} and v.origin = 'file' and v.id not in (select id from known)
       and (v.state in ('Uploaded', 'Processing')
            or (v.state = 'Processed' and exists (select from ingest_steps i where i.video_id = v.id and i.state in ('waiting', 'running'))))
     order by v.id limit ${filmsPerBatch}`);
  return rows;
}

interface StepOf {
  readonly videoId: string;
  readonly step: string;
}

/**
 * Leaves a step of a film out for good, or until somebody has it done again. Throws a Problem for one that the film cannot do without, that
 * is done, or that a worker is at.
 */
export async function skipStepOf(archive: Pick<FilmArchive, 'pool' | 'store'>, { videoId, step }: StepOf): Promise<void> {
  const { pool } = archive;
  const known = await findKnownStep(pool, step);
  if (!known) throw new Problem('not_found', 'There is no such step.');
  if (!known.optional) throw new Problem('conflict', 'This step cannot be skipped.');
  const { rowCount } = await pool.query(sql`
    insert into ingest_steps as i (video_id, step, state, message, ended_at)
    select id, ${step}, 'skipped', ${leftOutByEditor.skipped}, now() from videos where id = ${videoId} and origin = 'file'
    on conflict (video_id, step) do update set state = excluded.state, message = excluded.message, reason = null, ended_at = excluded.ended_at
     where i.state in ('waiting', 'failed')`);
  if (rowCount !== 1) throw new Problem('conflict', 'Only a waiting or failed step can be skipped.');
  await dropPieces(pool, videoId, step);
  await dropOutdated(archive, { videoId, step });
}

/**
 * Stops a step that a worker is at. What it found in this file when it was last done stays; else it is left out, and a film that cannot do without
 * it has failed, with its original kept for another try; one that plays goes on as it is. Throws a Problem for one that is not running.
 */
export async function cancelStepOf(archive: Pick<FilmArchive, 'pool' | 'store'>, { videoId, step }: StepOf): Promise<void> {
  const { pool } = archive;
  const known = await findKnownStep(pool, step);
  if (!known) throw new Problem('not_found', 'There is no such step.');
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ state: string }>(sql`
      update ingest_steps
         set state = case when result is not null then 'done' when ${known.optional} then 'skipped' else 'failed' end,
             -- Of a film that plays it would be begun again, as one that may do better.
             attempts = case when result is null then greatest(attempts, ${serverLimits.triesPerJob}) else attempts end,
             message = ${leftOutByEditor.cancelled}, reason = null, ended_at = now()
       where video_id = ${videoId} and step = ${step} and state = 'running'
      returning state`);
    const [cancelled] = rows;
    if (!cancelled) throw new Problem('conflict', 'This step is not running.');
    await dropPieces(db, videoId, step);
    if (cancelled.state === 'failed')
      await failVideo(db, {
        videoId,
        code: 'cancelled',
        message: `An editor cancelled its step “${wordsOfStep(step)}”. The original is kept.`,
      });
  });
  await dropOutdated(archive, { videoId, step });
}

/** What steps put into the store for those who watch. */
const captionsBy: Readonly<Record<string, 'heardCaptions' | 'readCaptions'>> = {
  speech: 'heardCaptions',
  'picture-subtitles': 'readCaptions',
};

/**
 * Takes away what a step found in a file that its film has no more, once it has come to nothing with the one that the film has. What
 * people changed stays, and so does what came beside the film, which steps read that make it playable.
 */
export async function dropOutdated({ pool, store }: Pick<FilmArchive, 'pool' | 'store'>, { videoId, step }: StepOf): Promise<void> {
  await inTransaction(pool, async (db) => {
    if (!(await lockVideo(db, videoId))) return;
    const { rowCount } = await db.query(sql`
      delete from layers l using ingest_steps i, steps s
       where l.video_id = ${videoId} and l.made_by = ${step} and i.video_id = l.video_id and i.step = l.made_by and s.name = i.step
         and s.class = 'understood' and i.state <> 'running' and i.result is null`);
    if (rowCount === 0) return;
    const captions = captionsBy[step];
    if (captions) await store.remove(toVideoKeys(videoId)[captions], 'It was made from a file that has been replaced.');
    await recomposeVideo(db, videoId);
  });
}

/** A step as the archive knows it: what a worker can do with a film. */
interface KnownStep {
  readonly name: string;
  readonly version: number;
  readonly class: 'playable' | 'understood';
  readonly optional: boolean;
}

/** Tells the archive what its workers can do, in order; what was told before goes. */
export async function registerSteps(pool: Pool, steps: readonly KnownStep[]): Promise<void> {
  const rows = steps.map(({ name, version, class: group, optional }, position) => ({ name, version, class: group, optional, position }));
  await inTransaction(pool, async (db) => {
    await db.query(sql`delete from steps where not (name = any (${steps.map(({ name }) => name)}::text[]))`);
    await db.query(sql`
      insert into steps (name, position, version, class, optional)
      select name, position, version, class, optional
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as r (name text, position int, version int, class text, optional boolean)
       order by name
      on conflict (name) do update
         set position = excluded.position, version = excluded.version, class = excluded.class, optional = excluded.optional`);
  });
}

/** A step by its name. */
async function findKnownStep(db: Db, name: string): Promise<KnownStep | undefined> {
  const { rows } = await db.query<KnownStep>(sql`select name, version, class, optional from steps where name = ${name}`);
  return rows[0];
}
