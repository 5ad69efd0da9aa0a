import { Problem } from '#contract/problem.ts';
import { can, type RoleName, type Roles } from '#contract/roles.ts';
import type { UserRow } from '#contract/users.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { lockAddress } from './address-lock.ts';
import { recordActivity } from './audit.ts';
import { createUser } from './create-user.ts';
import { parseEmail } from './email.ts';
import { findUser } from './users.ts';

interface RoleChange {
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
    if (uid === actorUid) throw new Problem('self_change', 'You cannot change your own roles. Ask another administrator.');
    const user = await findUser(db, uid);
    if (!user) throw new Problem('not_found', 'There is no such user. They may have been deleted.');
    if ((user.roles[role] === true) === granted) return user;
    if (authVersion !== undefined && authVersion !== user.authVersion)
      throw new Problem('version_mismatch', 'Someone else has changed this user’s roles. Check them again.');
    await db.query(sql`
      update users
         set roles = case when ${granted} then roles || jsonb_build_object(${role}::text, true) else roles - ${role}::text end,
             updated_at = now()
       where id = ${uid}`);
    await recordActivity(db, { action: granted ? 'role-granted' : 'role-removed', actorUid, subjectUid: uid, detail: role, from });
    return (await findUser(db, uid)) ?? user;
  });
}

/** Gives a person exactly these roles. Tokens made before this end with it. */
export async function setRoles(db: Db, uid: string, roles: Roles): Promise<void> {
  await db.query(sql`update users set roles = ${JSON.stringify(roles)}::jsonb, updated_at = now() where id = ${uid}`);
}

/** Held to the end of the transaction by whatever could leave the archive without an administrator. */
export async function lockRoles(db: Db): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.changingRoles})`);
}

/** Throws unless this person is an administrator at this moment: another one may have been faster. */
export async function requireAdmin(db: Db, uid: string): Promise<void> {
  const { rows } = await db.query<{ roles: Roles }>(sql`select roles from users where id = ${uid}`);
  if (!rows[0]) throw new Problem('unauthenticated', 'This account has been deleted. Sign in again.');
  if (!can(rows[0].roles, 'admin')) throw new Problem('forbidden', 'You are no longer an administrator. Nothing was changed.');
}

const from = 'command line';

/**
 * Makes the person with this address an administrator, creating them when they are new. Called from the operator's own shell only.
 * Throws `conflict` when the address is one that somebody signed in with and no provider proved, unless `trustsUnproved`:
 * whoever expects an operator to promote an address could have claimed it before. Trusted, the address counts as proved.
 */
export async function grantAdmin(
  pool: Pool,
  address: string,
  { trustsUnproved = false }: { trustsUnproved?: boolean } = {},
): Promise<{ uid: string; email: string; isNew: boolean }> {
  const email = parseEmail(address);
  if (!email) throw new Problem('invalid_email', `${JSON.stringify(address)} is not an e-mail address.`);
  return await inTransaction(pool, async (db) => {
    await lockRoles(db);
    await lockAddress(db, email);
    const known = chooseHolder(email, { holders: await findHolders(db, email), trustsUnproved });
    const uid = known?.uid ?? (await createUser(db, { name: email, email, emailVerified: true, from }));
    if (!can(known?.roles, 'admin'))
      await recordActivity(db, { action: 'role-granted', actorUid: null, subjectUid: uid, detail: 'admin', from });
    await db.query(sql`
      update users set roles = roles || '{"admin": true}', email_verified = true, updated_at = now() where id = ${uid}`);
    return { uid, email, isNew: !known };
  });
}

interface Holder {
  readonly uid: string;
  readonly roles: Roles;
  readonly isProved: boolean;
}

async function findHolders(db: Db, email: string): Promise<Holder[]> {
  const { rows } = await db.query<Holder>(sql`select id as uid, roles, email_verified as "isProved" from users where email = ${email}`);
  return rows;
}

/** Who is meant by the address; undefined when nobody has it yet. */
function chooseHolder(email: string, { holders, trustsUnproved }: { holders: Holder[]; trustsUnproved: boolean }): Holder | undefined {
  const proved = holders.find(({ isProved }) => isProved);
  if (proved || holders.length === 0) return proved;
  if (!trustsUnproved)
    throw new Problem('conflict', `Someone signed in as ${email}, but their provider did not verify that the address is theirs.`);
  if (holders.length > 1)
    throw new Problem(
      'conflict',
      `${holders.length} people signed in as ${email}, and no provider verified whose address it is. Delete the wrong ones first.`,
    );
  return holders[0];
}
