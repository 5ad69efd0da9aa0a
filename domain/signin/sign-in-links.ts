import { randomUUID } from 'node:crypto';
import { limits, serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { retryLostRace } from '../db/retries.ts';
import { sql } from '../db/sql.ts';
import { networksPerSite, siteBeginningOf } from '../networks/counted-networks.ts';
import { lockAddress } from '../users/address-lock.ts';
import { createUser } from '../users/create-user.ts';
import { displayNameOf } from '../users/display-name.ts';
import { parseEmail } from '../users/email.ts';
import { hashOf, makeRandomSecret } from './one-time-secret.ts';
import { endSession, startSession } from './sessions.ts';

/** How many links may be asked for within 15 minutes. */
interface LinkLimits {
  readonly perAddress: number;
  readonly perNetwork: number;
  readonly inAll: number;
}

/**
 * Makes a link that a visitor asked for; null when the address has had its share, which nobody is told. Every request counts for its
 * network. Throws `rate_limited` when the network, or the archive as a whole, has had its own. Counted in the database, so that
 * several server processes count together.
 */
export async function orderSignInLink(pool: Pool, order: LinkOrder, limits: LinkLimits): Promise<{ token: string } | null> {
  return await inTransaction(pool, async (db) => {
    // One after the other: who counts at the same moment would count too few.
    await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.orderingSignInLinks})`);
    const { ofNetwork, ofSite, inAll, ofAddress } = await countLinks(db, order);
    const isTooMany = ofNetwork >= limits.perNetwork || ofSite >= networksPerSite * limits.perNetwork || inAll >= limits.inAll;
    if (isTooMany) throw new Problem('rate_limited', tooMany, { retryAfterSeconds: 60 });
    if (ofAddress < limits.perAddress) return await createSignInLink(db, order);
    await createSignInLink(db, { ...order, email: '' });
    return null;
  });
}

const tooMany = `Too many sign-in links were requested from here. Try again in ${serverLimits.signInLinkWindowMinutes} minutes, or sign in another way.`;

interface Counts {
  readonly ofNetwork: number;
  readonly ofSite: number;
  readonly ofAddress: number;
  readonly inAll: number;
}

async function countLinks(db: Db, { email, network }: LinkOrder): Promise<Counts> {
  const { rows } = await db.query<Counts>(sql`
    select count(*) filter (where network = ${network}) as "ofNetwork",
           count(*) filter (where starts_with(network, ${siteBeginningOf(network) ?? network})) as "ofSite",
           count(*) filter (where email = ${email}) as "ofAddress",
           count(*) as "inAll"
      from sign_in_links
     where network <> '' and created_at > now() - make_interval(mins => ${serverLimits.signInLinkWindowMinutes})`);
  return rows[0] ?? { ofNetwork: 0, ofSite: 0, ofAddress: 0, inAll: 0 };
}

interface LinkSignIn {
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
  dead: () => new Problem('not_found', 'This link is no longer valid. Links work once, within 15 minutes. Request a new one.'),
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

interface LinkOrder {
  /** Whom it is for, as `parseEmail` writes it. */
  readonly email: string;
  /** Counts for people who are new only. */
  readonly name: string;
  /** Network that asks; empty for the operator's command line. */
  readonly network: string;
}

/** Makes a link's secret for this address: good once, for 15 minutes, until another link of the address has been used. */
export async function createSignInLink(db: Db, { email, name, network }: LinkOrder): Promise<{ token: string }> {
  const token = makeRandomSecret();
  await db.query(sql`delete from sign_in_links where created_at < now() - make_interval(days => ${serverLimits.signInLinkKeptDays})`);
  await db.query(sql`
    insert into sign_in_links (token_hash, email, name, network, expires_at)
    values (${hashOf(token)}, ${email}, ${name}, ${network}, now() + make_interval(mins => ${limits.signInLinkLifetimeMinutes}))`);
  return { token };
}

/** Takes back a link that never reached anybody: it opens nothing and no longer counts for its address, only for its network. */
export async function withdrawSignInLink(db: Db, token: string): Promise<void> {
  await db.query(sql`update sign_in_links set email = '', used_at = now() where token_hash = ${hashOf(token)} and used_at is null`);
}

type SpentLink =
  | { readonly outcome: 'spent'; readonly name: string; readonly isOperators: boolean }
  | { readonly outcome: 'wrong address' | 'dead' };

/**
 * Spends a link for whoever comes first, in time, and with the address that it was sent to; every other link of the address is worth
 * nothing from then on. One statement decides, so that two cannot both win. A wrong address leaves the link good, five times.
 */
export async function spendSignInLink(db: Db, { token, email }: { token: string; email: string }): Promise<SpentLink> {
  const { rows } = await db.query<{ isSpent: boolean; name: string; isOperators: boolean }>(sql`
    update sign_in_links
       set used_at = case when email = ${email} then now() end,
           wrong_addresses = wrong_addresses + case when email = ${email} then 0 else 1 end
     where token_hash = ${hashOf(token)} and used_at is null and expires_at > now() and wrong_addresses < ${serverLimits.signInLinkWrongAddressesMax}
    returning used_at is not null as "isSpent", name, network = '' as "isOperators"`);
  const [link] = rows;
  if (!link) return { outcome: 'dead' };
  if (!link.isSpent) return { outcome: 'wrong address' };
  await db.query(sql`update sign_in_links set used_at = now() where email = ${email} and used_at is null`);
  return { outcome: 'spent', name: link.name, isOperators: link.isOperators };
}
