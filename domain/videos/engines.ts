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

/** Every engine in order, as a worker told of it. */
export async function findEngines(db: Db): Promise<KnownEngine[]> {
  const { rows } = await db.query<Omit<KnownEngine, 'off'> & { reason: string | null; advice: string | null }>(sql`
    select name, version, step, licence, source, good_at as "goodAt", models, off_reason as reason, off_advice as advice
      from engines order by position`);
  return rows.map(({ reason, advice, ...engine }) => ({
    ...engine,
    off: reason !== null && advice !== null ? { reason, whatToDo: advice } : null,
  }));
}

/**
 * The same with what each has read, for which the steps of all films are gone through. Only the first that is used for a step has anything
 * to read again.
 */
export async function listEngines(db: Db): Promise<Engine[]> {
  const { rows } = await db.query<Pick<Engine, 'name' | 'filmsRead' | 'filmsOlder' | 'filmsUnread'>>(sql`
    with done as materialized (
      select i.step, i.result ->> 'engine' as engine, count(*) as films from ingest_steps i where i.state = 'done' group by 1, 2),
    published as materialized (select id from videos where state = 'Processed' and origin = 'file'),
    used as materialized (
      select e.name, count(*) as films, count(*) filter (where ${isOlder}) as older, count(*) filter (where ${isUnread}) as unread
        from ingest_steps i join published v on v.id = i.video_id join engines e on e.step = i.step join steps s on s.name = e.step
       where e.position = (${firstOfStep(sql`e.step`)})
       group by e.name)
    select e.name,
           (select coalesce(sum(d.films), 0)::int from done d where d.step = e.step and coalesce(d.engine, e.name) = e.name) as "filmsRead",
           coalesce(u.older, 0)::int as "filmsOlder",
           case when s.name is not null and e.position = (${firstOfStep(sql`e.step`)})
                then (select count(*) from published) - coalesce(u.films, 0) + coalesce(u.unread, 0) else 0 end::int as "filmsUnread"
      from engines e left join steps s on s.name = e.step left join used u on u.name = e.name`);
  const counts = new Map(rows.map((row) => [row.name, row]));
  const none = { filmsRead: 0, filmsOlder: 0, filmsUnread: 0 };
  return (await findEngines(db)).map((engine) => ({ ...engine, ...(counts.get(engine.name) ?? none) }));
}

/** Of a row `i` of `ingest_steps`, beside one of `steps` as `s` and one of `engines` as `e`. */
const isOlder = sql`(i.state = 'done' and (
  i.version < s.version or (i.result ? 'engine' and (i.result ->> 'engine', i.result ->> 'engineVersion') is distinct from (e.name, e.version))))`;
const isUnread = sql`(i.step is null or i.state = 'failed' or (i.state = 'skipped' and i.lacks_engine))`;

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
             where e.name = ${name} and (${isOlder} or ${isUnread}))`;
  return await runStepForAll({ pool, queue }, { step: engine.step, behind, priority: -1 });
}
