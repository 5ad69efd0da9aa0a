import type { Roles } from '#contract/roles.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Gives a person exactly these roles. Tokens made before this end with it. */
export async function setRoles(db: Db, uid: string, roles: Roles): Promise<void> {
  await db.query(sql`update users set roles = ${JSON.stringify(roles)}::jsonb, updated_at = now() where id = ${uid}`);
}
