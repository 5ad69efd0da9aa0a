import { Problem } from '#contract/problem.ts';
import type { RoleName } from '#contract/roles.ts';
import type { UserRow } from '#contract/users.ts';
import { inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { recordActivity } from './audit.ts';
import { findUser } from './find-user.ts';
import { lockRoles, requireAdmin } from './roles-lock.ts';

export interface RoleChange {
  readonly actorUid: string;
  readonly uid: string;
  readonly role: RoleName;
  readonly granted: boolean;
  /** The state that the actor saw; when it is given and another change came between, nothing is changed. */
  readonly authVersion?: number | undefined;
  readonly from: string;
}

/**
 * Switches one role of somebody else and returns them as they are then. The actor stays an administrator, so there is always one.
 * Throws `forbidden` when the actor is none any more, `self_change`, `not_found`, or `version_mismatch`.
 */
export async function setRole(pool: Pool, change: RoleChange): Promise<UserRow> {
  const { actorUid, uid, role, granted, authVersion, from } = change;
  return await inTransaction(pool, async (db) => {
    await lockRoles(db);
    await requireAdmin(db, actorUid);
    if (uid === actorUid) throw new Problem('self_change', 'Nobody changes their own roles. Ask another administrator.');
    const user = await findUser(db, uid);
    if (!user) throw new Problem('not_found', 'There is no such user. They may have been deleted.');
    if ((user.roles[role] === true) === granted) return user;
    if (authVersion !== undefined && authVersion !== user.authVersion)
      throw new Problem('version_mismatch', 'The roles of this user were changed meanwhile. Look at them again.');
    await db.query(sql`
      update users
         set roles = case when ${granted} then roles || jsonb_build_object(${role}::text, true) else roles - ${role}::text end,
             updated_at = now()
       where id = ${uid}`);
    await recordActivity(db, { action: granted ? 'role-granted' : 'role-removed', actorUid, subjectUid: uid, detail: role, from });
    return (await findUser(db, uid)) ?? user;
  });
}
