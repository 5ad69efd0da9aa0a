import type { UserRow } from '#contract/users.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type PersonRow, userRow } from './person-row.ts';

/** Somebody of the users collection; null when there is nobody with this id. What to look at twice is said in the list only. */
export async function findUser(db: Db, uid: string): Promise<UserRow | null> {
  // No stored text holds a NUL, and the database refuses to be asked for one.
  if (uid.includes('\0')) return null;
  const { rows } = await db.query<PersonRow>(sql`
    select uid, email, email_verified as "emailVerified", name as "displayName", roles, auth_version as "authVersion",
           sign_in_ways as "signInWays", created_at as "signedUpAt", activated_at as "activatedAt", note
      from people where uid = ${uid}`);
  return rows[0] ? userRow(rows[0], []) : null;
}
