import { Problem } from '#contract/problem.ts';
import { can, type Roles } from '#contract/roles.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

const rolesLock = 728_374_030;

/** Held to the end of the transaction by whatever could leave the archive without an administrator. */
export async function lockRoles(db: Db): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(${rolesLock})`);
}

/** Throws unless this person is an administrator at this moment: another one may have been faster. */
export async function requireAdmin(db: Db, uid: string): Promise<void> {
  const { rows } = await db.query<{ roles: Roles }>(sql`select roles from users where id = ${uid}`);
  if (!rows[0]) throw new Problem('unauthenticated', 'This account has been deleted. Sign in again.');
  if (!can(rows[0].roles, 'admin')) throw new Problem('forbidden', 'You are not an administrator any more. Nothing was changed.');
}
