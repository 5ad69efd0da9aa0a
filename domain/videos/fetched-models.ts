import { Problem } from '#contract/problem.ts';
import type { EngineModel } from '#contract/steps.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { runStepForAll } from './steps.ts';

/** The queue of models that wait to be fetched, or to be removed (`remove`); a job names its model. */
export const modelQueue = 'fetch-model';

/** A model that can be fetched, and whether it has been. */
export interface KnownModel extends Omit<EngineModel, 'state' | 'fetchedBytes' | 'message'> {
  readonly isHere: boolean;
}

/**
 * Tells the archive which models its workers could fetch, in order. What was asked for stays so, and what is here on any machine: one that lacks it
 * fetches it itself. One that was removed is not here again before somebody asks for it.
 */
export async function registerModels(pool: Pool, models: readonly KnownModel[]): Promise<void> {
  const rows = models.map((model, position) => ({ ...model, position }));
  await inTransaction(pool, async (db) => {
    await db.query(sql`delete from models where not (name = any (${models.map(({ name }) => name)}::text[]))`);
    await db.query(sql`
      insert into models (name, position, bytes, licence, source, good_at, state)
      select name, position, bytes, licence, source, "goodAt", case when "isHere" then 'here' else 'absent' end
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as r (name text, position int, bytes bigint, licence text, source text, "goodAt" text, "isHere" boolean)
       order by name
      on conflict (name) do update
         set position = excluded.position, bytes = excluded.bytes, licence = excluded.licence, source = excluded.source,
             good_at = excluded.good_at,
             state = case when excluded.state = 'here' and models.removed_at is null then excluded.state else models.state end`);
  });
}

/** Every model that can be fetched, in order. */
export async function listModels(db: Db): Promise<EngineModel[]> {
  const { rows } = await db.query<EngineModel>(sql`
    select name, bytes::float8 as bytes, licence, source, good_at as "goodAt", state, fetched_bytes::float8 as "fetchedBytes", message
      from models order by position`);
  return rows;
}

/** Has a worker fetch a model. Throws a Problem for one that nobody knows, that is here, or that is on its way. */
export async function askForModel({ pool, queue }: { pool: Pool; queue: JobQueue }, name: string): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ state: EngineModel['state'] }>(sql`select state from models where name = ${name} for update`);
    const [model] = rows;
    if (!model) throw new Problem('not_found', 'There is no such model.');
    if (model.state === 'here') throw new Problem('conflict', 'This model has already been downloaded.');
    if (model.state !== 'absent' && model.state !== 'failed') throw new Problem('conflict', 'This model is already being downloaded.');
    await db.query(sql`update models set state = 'asked', message = null, removed_at = null where name = ${name}`);
    await queue.enqueue(modelQueue, { model: name }, { db });
  });
}

/**
 * Has a model removed that was fetched, or no longer fetched that is on its way; what came of it goes. Films keep what was written down by it.
 * Throws a Problem for one that nobody knows, and for one of which there is nothing.
 */
export async function letModelGo({ pool, queue }: { pool: Pool; queue: JobQueue }, name: string): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ state: EngineModel['state'] }>(sql`select state from models where name = ${name} for update`);
    const [model] = rows;
    if (!model) throw new Problem('not_found', 'There is no such model.');
    if (model.state === 'absent') throw new Problem('conflict', 'This model has not been downloaded.');
    await db.query(sql`update models set state = 'absent', fetched_bytes = 0, message = null, removed_at = now() where name = ${name}`);
    await queue.enqueue(modelQueue, { model: name, remove: 'yes' }, { db });
  });
}

interface ModelNote {
  readonly state: 'fetching' | 'here' | 'failed';
  readonly fetchedBytes?: number;
  readonly message?: string;
}

/** How far a model has come; returns whether it is still wanted. One that nobody waits for any more stays as it is. */
export async function noteModel(db: Db, name: string, { state, fetchedBytes, message }: ModelNote): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update models
       set state = ${state}, fetched_bytes = coalesce(${fetchedBytes ?? null}::bigint, fetched_bytes), message = ${message ?? null}
     where name = ${name} and state in ('asked', 'fetching')`);
  return rowCount === 1;
}

/** A model that one machine has at least, and why another could not fetch it. */
interface ModelHere {
  readonly name: string;
  readonly message: string | null;
}

/** The models that one machine has at least; the others fetch them. */
export async function findModelsHere(db: Db): Promise<ModelHere[]> {
  return (await db.query<ModelHere>(sql`select name, message from models where state = 'here' order by position`)).rows;
}

/** The names of models that an administrator has had removed, and nobody has asked for since. */
export async function findRemovedModels(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(sql`
    select name from models where state = 'absent' and removed_at is not null order by position`);
  return rows.map(({ name }) => name);
}

/** Why a machine that lacks a model could not fetch it, null once it has it. The other machines have it all the same. */
export async function noteLacking(db: Db, name: string, message: string | null): Promise<void> {
  await db.query(sql`update models set message = ${message} where name = ${name} and state = 'here'`);
}

/** Has the films heard that a machine went on with because it could not fetch the model. Returns how many there are. */
export async function hearWithoutModel({ pool, queue }: { pool: Pool; queue: JobQueue }): Promise<number> {
  const behind = sql`(i.state = 'skipped' and i.reason ->> 'is' = 'model-not-copied')`;
  return await runStepForAll({ pool, queue }, { step: 'speech', behind, priority: -1 });
}
