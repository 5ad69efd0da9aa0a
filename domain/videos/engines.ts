import { Problem } from '#contract/problem.ts';
import type { Engine } from '#contract/steps.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { type Statement, sql } from '../db/sql.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { runStepForAll } from './steps.ts';

/** An engine as a worker has it. */
export type KnownEngine = Omit<Engine, 'filmsRead' | 'filmsOlder' | 'filmsUnread'>;

/** Tells the archive what its workers recognise things with, in order; what was told before goes. */
export async function registerEngines(pool: Pool, engines: readonly KnownEngine[]): Promise<void> {
  const rows = engines.map(({ off, ...engine }, position) => ({ ...engine, position, reason: off?.reason, advice: off?.whatToDo }));
  await inTransaction(pool, async (db) => {
    await db.query(sql`delete from engines`);
    await db.query(sql`
      insert into engines (name, position, step, version, licence, source, good_at, models, off_reason, off_advice)
      select name, position, step, version, licence, source, "goodAt",
             array(select jsonb_array_elements_text(models)), reason, advice
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as r (name text, position int, step text, version text, licence text, source text, "goodAt" text, models jsonb,
                reason text, advice text)
       order by name`);
  });
}

/** Every engine in order, and what it has read. Only the first that is used for a step has anything to read again. */
export async function listEngines(db: Db): Promise<Engine[]> {
  const { rows } = await db.query<Omit<Engine, 'off'> & { reason: string | null; advice: string | null }>(sql`
    select e.name, e.version, e.step, e.licence, e.source, e.good_at as "goodAt", e.models, e.off_reason as reason, e.off_advice as advice,
           (select count(*)::int from ingest_steps i
             where i.step = e.step and i.state = 'done' and coalesce(i.result ->> 'engine', e.name) = e.name) as "filmsRead",
           f.older as "filmsOlder", f.unread as "filmsUnread"
      from engines e
      left join steps s on s.name = e.step
     cross join lateral (
       select (count(*) filter (where ${isOlder}))::int as older, (count(*) filter (where ${isUnread}))::int as unread
         from videos v left join ingest_steps i on i.video_id = v.id and i.step = e.step
        where v.state = 'Processed' and v.origin = 'file' and s.name is not null and e.position = (${firstOfStep(sql`e.step`)})) f
     order by e.position`);
  return rows.map(({ reason, advice, ...engine }) => ({
    ...engine,
    off: reason !== null && advice !== null ? { reason, whatToDo: advice } : null,
  }));
}

/** Of a row `i` of `ingest_steps`, beside one of `steps` as `s` and one of `engines` as `e`. */
const isOlder = sql`(i.state = 'done' and (
  i.version < s.version or (i.result ? 'engine' and (i.result ->> 'engine', i.result ->> 'engineVersion') is distinct from (e.name, e.version))))`;
const isUnread = sql`(i.step is null or (i.state = 'skipped' and i.lacks_engine))`;

function firstOfStep(step: Statement): Statement {
  return sql`select min(position) from engines used where used.step = ${step} and used.off_reason is null`;
}

/**
 * Has every film read by the engine that is used for its step now: those that another one or an older version has read, and those that
 * none has. Films that come meanwhile go first. Returns how many there are. Throws a Problem for an engine that is not used.
 */
export async function readAgain({ pool, queue }: { pool: Pool; queue: JobQueue }, name: string): Promise<number> {
  const { rows } = await pool.query<{ step: string }>(sql`
    select step from engines e where name = ${name} and off_reason is null and position = (${firstOfStep(sql`e.step`)})`);
  const [engine] = rows;
  if (!engine) throw new Problem('not_found', 'No such engine is in use.');
  const behind = sql`
    exists (select from engines e join steps s on s.name = e.step
             where e.name = ${name} and (${isOlder} or ${isUnread} or i.state = 'failed'))`;
  return await runStepForAll({ pool, queue }, { step: engine.step, behind, priority: -1 });
}
