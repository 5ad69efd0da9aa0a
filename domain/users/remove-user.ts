import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Removes a person with every session, link and account; whether there was one. Signing in again starts as a newcomer. */
export async function removeUser(db: Db, uid: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`delete from users where id = ${uid}`);
  return rowCount === 1;
}
