import { Problem } from '#contract/problem.ts';
import { can, type Roles } from '#contract/roles.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { lockAddress } from './address-lock.ts';
import { recordActivity } from './audit.ts';
import { createUser } from './create-user.ts';
import { parseEmail } from './email.ts';
import { lockRoles } from './roles.ts';

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
    throw new Problem('conflict', `Somebody signed in as ${email}, and their provider did not prove that the address is theirs.`);
  if (holders.length > 1)
    throw new Problem(
      'conflict',
      `${holders.length} people signed in as ${email}, and no provider proved whose the address is. Delete the wrong ones first.`,
    );
  return holders[0];
}
