import { limits, serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { UserRow } from '#contract/users.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { recordActivity } from './audit.ts';
import { parseDisplayName, toOneLine } from './display-name.ts';
import { findUser } from './users.ts';

/** When the administrators were told that this person signed up; null when they have not been. */
export async function findAdminsToldAt(pool: Pool, uid: string): Promise<Date | null> {
  const { rows } = await pool.query<{ toldAt: Date | null }>(sql`select admins_told_at as "toldAt" from users where id = ${uid}`);
  return rows[0]?.toldAt ?? null;
}

/** Keeps what somebody tells the administrators about themselves, in one line; empty for nothing. Throws `invalid_parameter` when too long. */
export async function setOwnNote(pool: Pool, uid: string, text: string): Promise<void> {
  const note = toOneLine(text);
  if ([...note].length > limits.noteMaxCodePoints)
    throw new Problem('invalid_parameter', `A note may have at most ${limits.noteMaxCodePoints} characters.`);
  await pool.query(sql`update users set note = ${note}, updated_at = now() where id = ${uid}`);
}

interface OwnProviderAccount {
  readonly provider: string;
  /** What the provider calls this person. */
  readonly accountId: string;
  readonly linkedAt: Date;
}

/** The accounts at providers by which somebody signs in; their tokens are not kept, so there is no secret in it. */
export async function findOwnProviderAccounts(pool: Pool, uid: string): Promise<OwnProviderAccount[]> {
  const { rows } = await pool.query<OwnProviderAccount>(sql`
    select provider_id as provider, account_id as "accountId", created_at as "linkedAt"
      from accounts where user_id = ${uid} order by created_at, id`);
  return rows;
}

/**
 * Gives somebody the name that they wrote, cleaned, and returns them as they are then. Throws `invalid_parameter` for no name, and
 * `rate_limited` for the eleventh within a day: every name is kept in the audit, where administrators look for what matters.
 */
export async function setOwnName(
  pool: Pool,
  { uid, displayName, from }: { uid: string; displayName: string; from: string },
): Promise<UserRow> {
  const name = parseDisplayName(displayName);
  if (name === null)
    throw new Problem(
      'invalid_parameter',
      `A name needs a letter or digit, and may have at most ${limits.displayNameMaxCodePoints} characters.`,
    );
  return await inTransaction(pool, async (db) => {
    // One after the other: who counts at the same moment would count too few.
    await db.query(sql`select 1 from users where id = ${uid} for no key update`);
    const user = await findUser(db, uid);
    if (!user) throw new Problem('unauthenticated', 'This account has been deleted. Sign in again.');
    if (user.displayName === name) return user;
    if ((await countRenames(db, uid)) >= serverLimits.renamesPerDay)
      throw new Problem('rate_limited', tooOften, { retryAfterSeconds: 3_600 });
    await recordActivity(db, { action: 'name-changed', actorUid: uid, subjectUid: uid, detail: name, from });
    await db.query(sql`update users set name = ${name}, chose_name = true, updated_at = now() where id = ${uid}`);
    return { ...user, displayName: name };
  });
}

const tooOften = `A name can be changed ${serverLimits.renamesPerDay} times a day. Try again tomorrow.`;

async function countRenames(db: Db, uid: string): Promise<number> {
  const { rows } = await db.query<{ renames: number }>(sql`
    select count(*) as renames from audit
     where subject_uid = ${uid} and action = 'name-changed' and at > now() - interval '1 day'`);
  return rows[0]?.renames ?? 0;
}
