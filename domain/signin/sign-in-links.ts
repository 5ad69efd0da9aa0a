import { limits } from '#contract/limits.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { hashOf, newSecret } from './one-time-secret.ts';

const wrongAddressesMax = 5;

export interface LinkOrder {
  /** Whom it is for, as `parseEmail` writes it. */
  readonly email: string;
  /** Counts for people who are new only. */
  readonly name: string;
  /** Network that asks; empty for the operator's command line. */
  readonly network: string;
}

/** Makes a link's secret for this address: good once, for 15 minutes, until another link of the address has been used. */
export async function createSignInLink(db: Db, { email, name, network }: LinkOrder): Promise<{ token: string }> {
  const token = newSecret();
  await db.query(sql`delete from sign_in_links where created_at < now() - interval '1 day'`);
  await db.query(sql`
    insert into sign_in_links (token_hash, email, name, network, expires_at)
    values (${hashOf(token)}, ${email}, ${name}, ${network}, now() + make_interval(mins => ${limits.signInLinkLifetimeMinutes}))`);
  return { token };
}

/** Takes back a link that never reached anybody: it opens nothing and no longer counts for its address, only for its network. */
export async function withdrawSignInLink(db: Db, token: string): Promise<void> {
  await db.query(sql`update sign_in_links set email = '', used_at = now() where token_hash = ${hashOf(token)} and used_at is null`);
}

export type SpentLink =
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
     where token_hash = ${hashOf(token)} and used_at is null and expires_at > now() and wrong_addresses < ${wrongAddressesMax}
    returning used_at is not null as "isSpent", name, network = '' as "isOperators"`);
  const [link] = rows;
  if (!link) return { outcome: 'dead' };
  if (!link.isSpent) return { outcome: 'wrong address' };
  await db.query(sql`update sign_in_links set used_at = now() where email = ${email} and used_at is null`);
  return { outcome: 'spent', name: link.name, isOperators: link.isOperators };
}
