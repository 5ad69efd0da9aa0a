import { inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/**
 * Calls `tell` with the proved address of everybody who was activated within a day and has not heard of it, one after the other and by
 * one server process at a time. Whoever had a role from the first moment did not wait. They count as told when it returns; when it
 * throws, the others come first, and the first error is thrown in the end.
 */
export async function tellOfActivations(pool: Pool, tell: (email: string) => Promise<void>): Promise<void> {
  const failed: string[] = [];
  const errors: unknown[] = [];
  for (;;) {
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
    const lock = await db.query<{ isOurs: boolean }>(sql`select pg_try_advisory_xact_lock(hashtext('activation notices')) as "isOurs"`);
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
