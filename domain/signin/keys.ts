import { randomUUID } from 'node:crypto';
import type { OwnKey } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { recordActivity } from '../users/audit.ts';
import { toOneLine } from '../users/display-name.ts';
import { hashOf, makeRandomSecret } from './one-time-secret.ts';
import { findSessionById, type LiveSession } from './sessions.ts';

/** So that a key that lies somewhere it should not is known for what it is, by people and by programs that look for such. */
const prefix = 'rushes_';

interface NewKey {
  readonly uid: string;
  readonly name: string;
  /** How long it holds. */
  readonly days: number;
  readonly from: string;
}

/**
 * Makes a key for somebody's scripts. What it returns is told once and kept nowhere. Throws a Problem for a key without a name, and for one
 * more than somebody may have.
 */
export async function makeKey(pool: Pool, { uid, name, days, from }: NewKey): Promise<string> {
  const kept = [...toOneLine(name)].slice(0, limits.keyNameMaxCodePoints).join('');
  if (kept === '') throw new Problem('invalid_parameter', 'Give the key a name so that you can recognise it.');
  const key = prefix + makeRandomSecret();
  await inTransaction(pool, async (db) => {
    // One after the other: two at once would both find room.
    await db.query(sql`select 1 from users where id = ${uid} for no key update`);
    await db.query(sql`delete from keys where user_id = ${uid} and expires_at <= now()`);
    if ((await listKeys(db, uid)).length >= limits.keysPerUser)
      throw new Problem('conflict', `You have ${limits.keysPerUser} keys. Revoke one that you no longer need.`);
    await recordActivity(db, { action: 'key-made', actorUid: uid, subjectUid: uid, detail: kept, from });
    await db.query(sql`
      insert into keys (id, user_id, name, secret_hash, expires_at)
      values (${randomUUID()}, ${uid}, ${kept}, ${hashOf(key)}, now() + make_interval(days => ${days}))`);
  });
  return key;
}

/** Somebody's keys that hold, the newest first. */
export async function listKeys(db: Db, uid: string): Promise<OwnKey[]> {
  const { rows } = await db.query<{ id: string; name: string; createdAt: Date; expiresAt: Date; lastUsedAt: Date | null }>(sql`
    select id, name, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt"
      from keys where user_id = ${uid} and expires_at > now() order by created_at desc, id`);
  return rows.map(({ id, name, createdAt, expiresAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** Ends a key of this person at once, with every token that was made by it. Throws `not_found` where there is none. */
export async function revokeKey(pool: Pool, { uid, id, from }: { uid: string; id: string; from: string }): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ name: string }>(
      sql`delete from keys where id = ${id.replaceAll('\u0000', '')} and user_id = ${uid} returning name`,
    );
    const [key] = rows;
    if (!key) throw new Problem('not_found', 'You have no such key. It may have been revoked or expired.');
    await recordActivity(db, { action: 'key-revoked', actorUid: uid, subjectUid: uid, detail: key.name, from });
  });
}

/**
 * The session of a key, begun or made to last again, with its user's roles of this moment; null for what is no key that holds. The key counts
 * as used.
 */
export async function openSessionByKey(pool: Pool, key: string): Promise<LiveSession | null> {
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ sid: string; uid: string }>(sql`
      with used as (
        update keys set last_used_at = now() where secret_hash = ${hashOf(key)} and expires_at > now() returning id, user_id)
      insert into sessions (id, user_id, token_hash, user_agent, signed_in_by, key_id)
      select ${randomUUID()}, user_id, ${hashOf(makeRandomSecret())}, '', 'key', id from used
      on conflict (key_id) do update set created_at = now(), last_seen_at = now()
      returning id as sid, user_id as uid`);
    return rows[0] ? await findSessionById(db, rows[0]) : null;
  });
}
