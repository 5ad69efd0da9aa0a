import { Problem } from '#contract/problem.ts';
import { inTransaction, type Pool } from '../db/database.ts';
import { recordActivity } from './audit.ts';
import { findUser } from './find-user.ts';
import { removeUser } from './remove-user.ts';
import { lockRoles, requireAdmin } from './roles-lock.ts';

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
