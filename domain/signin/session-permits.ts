import { can, type Permission, type Roles } from '#contract/roles.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Whether this session lives and its user has this permission at this moment. */
export async function sessionPermits(db: Db, sid: string, permission: Permission): Promise<boolean> {
  const { rows } = await db.query<{ roles: Roles }>(sql`select roles from live_sessions where id = ${sid}`);
  return can(rows[0]?.roles, permission);
}
