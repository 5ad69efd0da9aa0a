import { advisoryLocks } from '../db/advisory-locks.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/**
 * Held to the end of the transaction by whoever looks for the person with this proved address and adds them when there is none:
 * of two who come at the same moment the second finds the first, and nobody becomes two people.
 */
export async function lockAddress(db: Db, email: string): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.provedAddress(email)})`);
}
