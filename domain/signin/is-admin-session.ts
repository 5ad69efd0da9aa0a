import { can, type Roles } from '#contract/roles.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Whether this session lives and belongs to an administrator at this moment. */
export async function isAdminSession(db: Db, sid: string): Promise<boolean> {
  const { rows } = await db.query<{ roles: Roles }>(sql`select roles from live_sessions where id = ${sid}`);
  return can(rows[0]?.roles, 'admin');
}
