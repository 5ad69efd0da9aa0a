import type { OwnSession } from '#contract/account.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { browserName } from './browser-name.ts';

/** The living sessions of one person, the one that asks first, then by last use. */
export async function listOwnSessions(db: Db, { uid, sid }: { uid: string; sid: string }): Promise<OwnSession[]> {
  const { rows } = await db.query<{ sid: string; userAgent: string; signedInAt: Date; lastSeenAt: Date }>(sql`
    select s.id as sid, s.user_agent as "userAgent", s.created_at as "signedInAt", s.last_seen_at as "lastSeenAt"
      from sessions s join live_sessions l on l.id = s.id
     where s.user_id = ${uid} order by s.id = ${sid} desc, s.last_seen_at desc, s.id`);
  return rows.map((row) => ({
    sid: row.sid,
    browser: browserName(row.userAgent),
    signedInAt: row.signedInAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    isThis: row.sid === sid,
  }));
}

/** Ends one session of this person; whether there was one. */
export async function endOwnSession(db: Db, { uid, sid }: { uid: string; sid: string }): Promise<boolean> {
  if (sid.includes('\0')) return false;
  const { rowCount } = await db.query(sql`delete from sessions where id = ${sid} and user_id = ${uid}`);
  return rowCount === 1;
}

/** Ends every session of this person, the one that asks too. */
export async function endOwnSessions(db: Db, uid: string): Promise<void> {
  await db.query(sql`delete from sessions where user_id = ${uid}`);
}
