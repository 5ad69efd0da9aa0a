import { Problem } from '#contract/problem.ts';
import { can } from '#contract/roles.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { recordActivity } from './audit.ts';
import { lockRoles, requireAdmin } from './roles.ts';
import { findUser } from './users.ts';

/**
 * Deletes somebody else, with every session, link and account of theirs; videos stay. The actor stays an administrator, so there
 * is always one. Throws `forbidden` when the actor is none any more, `conflict` for oneself, or `not_found`.
 */
export async function deleteUser(pool: Pool, { actorUid, uid, from }: { actorUid: string; uid: string; from: string }): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockRoles(db);
    await requireAdmin(db, actorUid);
    if (uid === actorUid) throw new Problem('conflict', 'This is your own account. You can delete it on your account page.');
    if (!(await findUser(db, uid))) throw new Problem('not_found', 'There is no such user. They may have been deleted.');
    await recordActivity(db, { action: 'user-deleted', actorUid, subjectUid: uid, from });
    await removeUser(db, uid);
  });
}

/**
 * Deletes the account of whoever asks, with every session and link. Throws `last_admin` for the only administrator, and
 * `unauthenticated` when it is gone already.
 */
export async function deleteOwnAccount(pool: Pool, { uid, from }: { uid: string; from: string }): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockRoles(db);
    const user = await findUser(db, uid);
    if (!user) throw new Problem('unauthenticated', 'This account has already been deleted.');
    if (can(user.roles, 'admin') && !(await hasOtherAdmin(db, uid)))
      throw new Problem(
        'last_admin',
        'You are the only administrator. Make someone else an administrator first, then delete your account.',
      );
    await recordActivity(db, { action: 'account-deleted', actorUid: uid, subjectUid: uid, from });
    await removeUser(db, uid);
  });
}

async function hasOtherAdmin(db: Db, uid: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    sql`select exists (select from users where roles @> '{"admin": true}' and id <> ${uid}) as found`,
  );
  return rows[0]?.found === true;
}

/** Removes a person with every session, link and account; whether there was one. Signing in again starts as a newcomer. */
export async function removeUser(db: Db, uid: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`delete from users where id = ${uid}`);
  return rowCount === 1;
}
