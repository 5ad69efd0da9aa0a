import { randomUUID } from 'node:crypto';
import type { Roles } from '#contract/roles.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { retryLostRace } from '../db/retries.ts';
import { sql } from '../db/sql.ts';
import { lockAddress } from './address-lock.ts';
import { recordActivity } from './audit.ts';
import { createUser } from './create-user.ts';
import { displayNameOf } from './display-name.ts';
import { setRoles } from './roles.ts';

/** What a provider says of somebody. */
export interface Profile {
  /** Empty when the provider gave none that can be read. */
  readonly name: string;
  /** Empty when the provider gave none. */
  readonly email: string;
  readonly emailVerified: boolean;
}

/** Somebody whom a provider has just proved to be there. */
export interface Arrival {
  /** Who they are to the provider; nothing else decides who they are here. */
  readonly account: { readonly providerId: string; readonly accountId: string };
  readonly profile: Profile;
  /** Network address they come from. */
  readonly from: string;
  /** Roles that a new person with this proved address starts with. */
  readonly rolesOfNewUser: (email: string) => Roles;
}

/**
 * Finds or makes the user of an account, and takes over what the provider says of them; roles are no part of it. An account that is
 * new belongs to somebody known only when the provider and we both have proof of the same address, and not when they have an account
 * at that provider already: addresses are given to other people. Returns the uid.
 */
export async function recordSignIn(pool: Pool, arrival: Arrival): Promise<string> {
  // Somebody with the same account or address was a moment earlier, or has just been deleted: look again.
  return await retryLostRace(() => inTransaction(pool, (db) => recordWithin(db, arrival)));
}

async function recordWithin(db: Db, arrival: Arrival): Promise<string> {
  if (arrival.profile.emailVerified) await lockAddress(db, arrival.profile.email);
  const known = await findByAccount(db, arrival.account);
  const uid = known ?? (await findByProvedAddress(db, arrival)) ?? (await signUp(db, arrival));
  if (!known) await addAccount(db, uid, arrival.account);
  await mergeProfile(db, uid, arrival);
  return uid;
}

async function findByAccount(db: Db, { providerId, accountId }: Arrival['account']): Promise<string | undefined> {
  const { rows } = await db.query<{ uid: string }>(
    sql`select users.id as uid from accounts join users on users.id = accounts.user_id
         where provider_id = ${providerId} and account_id = ${accountId} for key share of users`,
  );
  return rows[0]?.uid;
}

async function findByProvedAddress(db: Db, { account, profile }: Arrival): Promise<string | undefined> {
  const { email, emailVerified } = profile;
  if (!email || !emailVerified) return undefined;
  const { rows } = await db.query<{ uid: string }>(sql`
    select id as uid from users
     where email = ${email} and email_verified
       and not exists (select 1 from accounts where user_id = users.id and provider_id = ${account.providerId})
       for key share`);
  return rows[0]?.uid;
}

async function signUp(db: Db, { profile, from, rolesOfNewUser }: Arrival): Promise<string> {
  const { email } = profile;
  const emailVerified = profile.emailVerified && (await isFree(db, { email }));
  const uid = await createUser(db, { name: displayNameOf(email, profile.name), email, emailVerified, from });
  const roles = emailVerified ? rolesOfNewUser(email) : {};
  if (Object.keys(roles).length > 0) await setRoles(db, uid, roles);
  return uid;
}

/** Whether nobody has proved this address, but perhaps the one with `uid`. */
async function isFree(db: Db, { email, uid = '' }: { email: string; uid?: string }): Promise<boolean> {
  const { rowCount } = await db.query(sql`select 1 from users where email = ${email} and email_verified and id <> ${uid}`);
  return rowCount === 0;
}

async function addAccount(db: Db, uid: string, { providerId, accountId }: Arrival['account']): Promise<void> {
  await db.query(sql`
    insert into accounts (id, user_id, provider_id, account_id) values (${randomUUID()}, ${uid}, ${providerId}, ${accountId})`);
}

/**
 * The name as long as they have not chosen one here; the address only when it is proved and nobody else has proved it. One that the
 * provider has taken from them is theirs no longer, although another is not free. Whom administrators knew by another name or address
 * than today's is written down.
 */
async function mergeProfile(db: Db, uid: string, { profile, from }: Arrival): Promise<void> {
  const { rows } = await db.query<{ name: string; email: string | null; choseName: boolean }>(
    sql`select name, email, chose_name as "choseName" from users where id = ${uid} for no key update`,
  );
  const [known] = rows;
  if (!known) throw new Error('somebody who signs in is not there');
  const proves = profile.emailVerified && profile.email !== '';
  const isProved = proves && (await isFree(db, { email: profile.email, uid }));
  const isTaken = proves && !isProved && profile.email !== known.email && (await hasOneAccount(db, uid));
  const name = known.choseName || profile.name === '' ? known.name : profile.name;
  const email = isProved ? profile.email : known.email;
  const written = { actorUid: uid, subjectUid: uid, from };
  if (name !== known.name) await recordActivity(db, { ...written, action: 'name-changed', detail: name });
  if (email !== known.email) await recordActivity(db, { ...written, action: 'email-changed', detail: email ?? '' });
  await db.query(sql`
    update users set name = ${name}, email = ${email}, email_verified = email_verified and not ${isTaken} or ${isProved}, updated_at = now() where id = ${uid}`);
}

/** Whether nothing else proves their address: no second provider, and no link by e-mail. */
async function hasOneAccount(db: Db, uid: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`select 1 from accounts where user_id = ${uid} limit 2`);
  return rowCount === 1;
}
