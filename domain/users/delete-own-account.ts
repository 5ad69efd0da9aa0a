import { Problem } from '#contract/problem.ts';
import { can } from '#contract/roles.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { recordActivity } from './audit.ts';
import { findUser } from './find-user.ts';
import { removeUser } from './remove-user.ts';
import { lockRoles } from './roles-lock.ts';

/**
 * Deletes the account of whoever asks, with every session and link. Throws `last_admin` for the only administrator, and
 * `unauthenticated` when it is gone already.
 */
export async function deleteOwnAccount(pool: Pool, { uid, from }: { uid: string; from: string }): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockRoles(db);
    const user = await findUser(db, uid);
    if (!user) throw new Problem('unauthenticated', 'This account has been deleted already.');
    if (can(user.roles, 'admin') && !(await hasOtherAdmin(db, uid)))
      throw new Problem(
        'last_admin',
        'You are the only administrator. Make somebody else an administrator first, then delete your account.',
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
