import { randomUUID } from 'node:crypto';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { retryLostRace } from '../db/retry-lost-race.ts';
import { sql } from '../db/sql.ts';
import { lockAddress } from '../users/address-lock.ts';
import { createUser } from '../users/create-user.ts';
import { displayNameOf } from '../users/display-name.ts';
import { parseEmail } from '../users/email.ts';
import { endSession, startSession } from './sessions.ts';
import { type SpentLink, spendSignInLink } from './sign-in-links.ts';

export interface LinkSignIn {
  readonly token: string;
  /** As the visitor gives it. */
  readonly address: string;
  /** The session that this browser had before; it ends. */
  readonly sid: string | null;
  readonly userAgent: string;
  /** Network address of the visitor. */
  readonly from: string;
}

/**
 * Signs in by a link from an e-mail; `secret` is for the session's cookie. Whoever is new gets the name that was entered with the link.
 * Throws `invalid_email`, `conflict` for another address than the link's, or `not_found` for a link that is not good any more.
 */
export async function signInByLink(pool: Pool, visitor: LinkSignIn): Promise<{ secret: string }> {
  const email = parseEmail(visitor.address);
  if (!email) throw new Problem('invalid_email', 'The email address is badly formatted.');
  // The same person came by a provider a moment earlier: now there is somebody to find.
  const signedIn = await retryLostRace(() => inTransaction(pool, (db) => signInWithin(db, email, visitor)));
  if (signedIn.outcome !== 'signed in') throw refusals[signedIn.outcome]();
  return { secret: signedIn.secret };
}

type Outcome = { readonly outcome: 'signed in'; readonly secret: string } | Exclude<SpentLink, { outcome: 'spent' }>;

async function signInWithin(db: Db, email: string, { token, sid, userAgent, from }: LinkSignIn): Promise<Outcome> {
  await lockAddress(db, email);
  // First the person, then the link, as whoever deletes them: the other way round each could wait for the other.
  const known = await holdUidByProvedEmail(db, email);
  const link = await spendSignInLink(db, { token, email });
  if (link.outcome !== 'spent') return link;
  const newcomer = { email, emailVerified: true, name: displayNameOf(email, link.name), from };
  const uid = known ?? (await createUser(db, newcomer));
  // The operator's link was never sent to the address, so it says nothing about who reads there.
  if (!link.isOperators) await keepWay(db, { uid, email });
  if (sid) await endSession(db, sid);
  const { secret } = await startSession(db, uid, { userAgent, signedInBy: link.isOperators ? 'command line' : 'email' });
  return { outcome: 'signed in', secret };
}

const refusals: Record<Exclude<SpentLink['outcome'], 'spent'>, () => Problem> = {
  'wrong address': () => new Problem('conflict', 'This address does not match the link. Enter the address that the link was sent to.'),
  dead: () => new Problem('not_found', 'This link is not good any more. Links work once, for 15 minutes. Ask for a new one.'),
};

/** Nobody deletes them before the transaction is over. */
async function holdUidByProvedEmail(db: Db, email: string): Promise<string | null> {
  const { rows } = await db.query<{ uid: string }>(
    sql`select id as uid from users where email = ${email} and email_verified for key share`,
  );
  return rows[0]?.uid ?? null;
}

/** Whoever proves the address is who signs in by it, also when it was somebody else's before. */
async function keepWay(db: Db, { uid, email }: { uid: string; email: string }): Promise<void> {
  await db.query(sql`
    insert into accounts (id, user_id, provider_id, account_id)
    values (${randomUUID()}, ${uid}, 'email', ${email})
        on conflict (provider_id, account_id) do update set user_id = excluded.user_id, updated_at = now()`);
}
