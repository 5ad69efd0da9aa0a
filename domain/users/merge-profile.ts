import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface Profile {
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

/**
 * Takes over what a provider says of somebody who has signed in by it before: the name always, the address only when
 * it is proved and nobody else's. Roles are no part of it.
 */
export async function mergeProfile(db: Db, account: { providerId: string; accountId: string }, profile: Profile): Promise<void> {
  const { name, email, emailVerified } = profile;
  await db.query(sql`
    update users
       set name = ${name},
           email = case when ${emailVerified} and not exists (select 1 from users other where other.email = ${email} and other.id <> users.id)
                        then ${email} else users.email end,
           email_verified = users.email_verified or (${emailVerified} and users.email = ${email}),
           updated_at = now()
      from accounts
     where accounts.provider_id = ${account.providerId} and accounts.account_id = ${account.accountId} and users.id = accounts.user_id`);
}
