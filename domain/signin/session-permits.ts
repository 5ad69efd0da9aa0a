import { Problem } from '#contract/problem.ts';
import { can, type Permission, type Roles } from '#contract/roles.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** The roles that the user of this session has at this moment; null when it does not live. */
export async function rolesOfSession(db: Db, sid: string): Promise<Roles | null> {
  const { rows } = await db.query<{ roles: Roles }>(sql`select roles from live_sessions where id = ${sid}`);
  return rows[0]?.roles ?? null;
}

/** Whether this session lives and its user has this permission at this moment. */
export async function hasSessionPermission(db: Db, sid: string, permission: Permission): Promise<boolean> {
  return can(await rolesOfSession(db, sid), permission);
}

/** Throws a Problem, `unauthenticated` or `forbidden`, unless it does: for what was let in long before it ends. */
export async function requireStillPermits(db: Db, sid: string, permission: Permission): Promise<void> {
  const roles = await rolesOfSession(db, sid);
  if (!roles) throw new Problem('unauthenticated', 'Your session or key has ended meanwhile. Nothing was added.');
  if (!can(roles, permission)) throw new Problem('forbidden', `Your permission to ${permission} has ended meanwhile. Nothing was added.`);
}
