import type { Warning } from '#contract/status.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/**
 * Calls `tell` with the proved address of everybody who was activated within a day and has not heard of it, one after the other and by
 * one server process at a time. Whoever had a role from the first moment did not wait. They count as told when it returns; when it
 * throws, the others come first, and the first error is thrown in the end. `stop` lets nobody else come.
 */
export async function tellOfActivations(pool: Pool, tell: (email: string) => Promise<void>, stop?: AbortSignal): Promise<void> {
  const failed: string[] = [];
  const errors: unknown[] = [];
  while (!stop?.aborted) {
    const outcome = await tellNext(pool, failed, tell);
    if (outcome === 'nobody') break;
    if (outcome === 'told') continue;
    failed.push(outcome.uid);
    errors.push(outcome.error);
  }
  if (errors.length > 0) throw errors[0];
}

async function tellNext(
  pool: Pool,
  except: readonly string[],
  tell: (email: string) => Promise<void>,
): Promise<'nobody' | 'told' | { uid: string; error: unknown }> {
  return await inTransaction(pool, async (db) => {
    // No lock on the person: an administrator who changes their roles meanwhile should not wait for a mail server.
    const lock = await db.query<{ isOurs: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.tellingOfActivations}) as "isOurs"`,
    );
    if (!lock.rows[0]?.isOurs) return 'nobody';
    const { rows } = await db.query<{ uid: string; email: string }>(sql`
      select id as uid, email from users
       where activation_told_at is null and activated_at > created_at and activated_at > now() - interval '1 day'
         and is_active(roles) and email_verified and email is not null and id <> all(${except})
       order by activated_at limit 1`);
    const [person] = rows;
    if (!person) return 'nobody';
    try {
      await tell(person.email);
    } catch (error) {
      return { uid: person.uid, error };
    }
    await db.query(sql`update users set activation_told_at = now() where id = ${person.uid}`);
    return 'told';
  });
}

export interface SignUpNotice {
  /** How many people wait for activation, those included of whom the administrators know. */
  readonly waiting: number;
  /** Proved addresses of the administrators. */
  readonly to: readonly string[];
}

/**
 * Calls `tell` when somebody has signed up of whom the administrators do not know, at most once an hour over all server processes.
 * They count as told when it returns that somebody heard, and come again in an hour when nobody did; when it throws, it is called again
 * next time.
 */
export async function tellOfSignUps(pool: Pool, tell: (notice: SignUpNotice) => Promise<boolean>): Promise<void> {
  await inTransaction(pool, async (db) => {
    const due = await db.query(sql`
      select from sign_up_notices where told_at <= now() - interval '1 hour' for update skip locked`);
    if (due.rowCount !== 1) return;
    const untold = await findUntold(db);
    const to = untold.length > 0 ? await findAdminAddresses(db) : [];
    if (to.length === 0) return;
    const isHeard = await tell({ waiting: await countWaiting(db), to });
    if (isHeard) await db.query(sql`update users set admins_told_at = now() where id = any(${untold})`);
    await db.query(sql`update sign_up_notices set told_at = now()`);
  });
}

async function findUntold(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ uid: string }>(
    sql`select id as uid from users where admins_told_at is null and activated_at is null and not is_active(roles)`,
  );
  return rows.map(({ uid }) => uid);
}

/** The proved addresses of all administrators. */
export async function findAdminAddresses(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    sql`select email from users where roles @> '{"admin": true}' and email_verified and email is not null order by email`,
  );
  return rows.map(({ email }) => email);
}

async function countWaiting(db: Db): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>(
    sql`select count(*) as waiting from users where activated_at is null and not is_active(roles)`,
  );
  return rows[0]?.waiting ?? 0;
}

/**
 * Calls `tell` with those of these that nobody was told of within a day, or that have grown worse since, by one process at a time; they
 * count as told when it returns. When it throws, they come again at the next call.
 */
export async function tellOncePerDay(
  pool: Pool,
  warnings: readonly Warning[],
  tell: (due: readonly Warning[]) => Promise<void>,
): Promise<void> {
  await inTransaction(pool, async (db) => {
    const lock = await db.query<{ isOurs: boolean }>(sql`select pg_try_advisory_xact_lock(${advisoryLocks.tellingOfWarnings}) as "isOurs"`);
    if (!lock.rows[0]?.isOurs) return;
    await db.query(sql`delete from alerts where told_at < now() - interval '1 day'`);
    const { rows } = await db.query<{ about: string }>(sql`
      insert into alerts (about) select distinct unnest(${warnings.flatMap(gradesOf)}::text[])
      on conflict do nothing returning about`);
    const untold = new Set(rows.map(({ about }) => about));
    const due = warnings.filter((warning) => gradesOf(warning).some((grade) => untold.has(grade)));
    if (due.length > 0) await tell(due);
  });
}

/** What counts as told with a warning: it, and whatever would be less bad. */
function gradesOf({ about, is, count = 1 }: Warning): string[] {
  const grades = is === 'hint' ? [`${about} hint`] : [`${about} hint`, `${about} bad`];
  for (let many = 4; many <= count; many *= 4) grades.push(`${about} ${many}`);
  return grades;
}
