import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { UserRow } from '#contract/users.ts';
import { inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { recordActivity } from './audit.ts';
import { parseDisplayName } from './display-name.ts';
import { findUser } from './find-user.ts';

/** Gives somebody the name that they wrote, cleaned, and returns them as they are then. Throws `invalid_parameter` for no name. */
export async function setOwnName(
  pool: Pool,
  { uid, displayName, from }: { uid: string; displayName: string; from: string },
): Promise<UserRow> {
  const name = parseDisplayName(displayName);
  if (name === null)
    throw new Problem('invalid_parameter', `A name has letters or digits, and at most ${limits.displayNameMaxCodePoints} characters.`);
  return await inTransaction(pool, async (db) => {
    const user = await findUser(db, uid);
    if (!user) throw new Problem('unauthenticated', 'This account has been deleted. Sign in again.');
    if (user.displayName === name) return user;
    await recordActivity(db, { action: 'name-changed', actorUid: uid, subjectUid: uid, detail: name, from });
    await db.query(sql`update users set name = ${name}, chose_name = true, updated_at = now() where id = ${uid}`);
    return { ...user, displayName: name };
  });
}
