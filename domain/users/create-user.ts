import { randomUUID } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { recordActivity } from './audit.ts';

export interface Newcomer {
  readonly name: string;
  /** Empty when there is none. */
  readonly email: string;
  readonly emailVerified: boolean;
  /** Network address they come from. */
  readonly from: string;
}

/**
 * Adds a person without any role and writes the sign-up down; called in a transaction. Returns their uid.
 * Throws the database's unique violation when the address is proved and somebody else's by then.
 */
export async function createUser(db: Db, { name, email, emailVerified, from }: Newcomer): Promise<string> {
  const uid = randomUUID();
  await db.query(sql`insert into users (id, email, email_verified, name) values (${uid}, ${email || null}, ${emailVerified}, ${name})`);
  await recordActivity(db, { action: 'signed-up', actorUid: uid, subjectUid: uid, from });
  return uid;
}
