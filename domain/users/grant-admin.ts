import { randomUUID } from 'node:crypto';
import { Problem } from '#contract/problem.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { parseEmail } from './email.ts';

/**
 * Makes the person with this address an administrator, creating them when they are new. Called from the operator's own shell only.
 * Throws `conflict` when the address is one that somebody signed in with and no provider proved, unless `trustsUnproved`:
 * whoever expects an operator to promote an address could have claimed it before.
 */
export async function grantAdmin(
  db: Db,
  address: string,
  { trustsUnproved = false }: { trustsUnproved?: boolean } = {},
): Promise<{ uid: string; email: string; isNew: boolean }> {
  const email = parseEmail(address);
  if (!email) throw new Problem('invalid_email', `${JSON.stringify(address)} is not an e-mail address.`);
  const { rows } = await db.query<{ uid: string; isNew: boolean }>(sql`
    insert into users (id, email, email_verified, name, roles)
    values (${randomUUID()}, ${email}, true, ${email}, '{"admin": true}')
        on conflict (email) do update set roles = users.roles || '{"admin": true}', updated_at = now() where users.email_verified or ${trustsUnproved}
    returning id as uid, xmax = 0 as "isNew"`);
  const [user] = rows;
  if (!user) throw new Problem('conflict', `Somebody signed in as ${email}, and their provider did not prove that the address is theirs.`);
  return { ...user, email };
}
