import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { hashOf, newSecret } from './one-time-secret.ts';

const lifetimeMinutes = 15;

/** Makes a link's secret for this user: good once, for 15 minutes. Links made before it are worth nothing from now on. */
export async function createSignInLink(db: Db, uid: string): Promise<{ secret: string; lifetimeMinutes: number }> {
  const secret = newSecret();
  await db.query(sql`delete from sign_in_links where user_id = ${uid} and used_at is null`);
  await db.query(sql`
    insert into sign_in_links (token_hash, user_id, expires_at)
    values (${hashOf(secret)}, ${uid}, now() + make_interval(mins => ${lifetimeMinutes}))`);
  return { secret, lifetimeMinutes };
}

/** Spends a link: the user's id for the first who asks in time, null for everybody else. One statement, so that two cannot both win. */
export async function spendSignInLink(db: Db, secret: string): Promise<string | null> {
  const { rows } = await db.query<{ uid: string }>(sql`
    update sign_in_links set used_at = now()
     where token_hash = ${hashOf(secret)} and used_at is null and expires_at > now()
    returning user_id as uid`);
  return rows[0]?.uid ?? null;
}
