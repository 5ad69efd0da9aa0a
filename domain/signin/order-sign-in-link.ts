import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { networksPerSite, siteBeginning } from '../networks/counted-networks.ts';
import { createSignInLink, type LinkOrder } from './sign-in-links.ts';

/** How many links may be asked for within 15 minutes. */
export interface LinkLimits {
  readonly perAddress: number;
  readonly perNetwork: number;
  readonly inAll: number;
}

const windowMinutes = 15;

/**
 * Makes a link that a visitor asked for; null when the address has had its share, which nobody is told. Every request counts for its
 * network. Throws `rate_limited` when the network, or the archive as a whole, has had its own. Counted in the database, so that
 * several server processes count together.
 */
export async function orderSignInLink(pool: Pool, order: LinkOrder, limits: LinkLimits): Promise<{ token: string } | null> {
  return await inTransaction(pool, async (db) => {
    // One after the other: who counts at the same moment would count too few.
    await db.query(sql`select pg_advisory_xact_lock(hashtext('sign-in links'))`);
    const { ofNetwork, ofSite, inAll, ofAddress } = await countLinks(db, order);
    const isTooMany = ofNetwork >= limits.perNetwork || ofSite >= networksPerSite * limits.perNetwork || inAll >= limits.inAll;
    if (isTooMany) throw new Problem('rate_limited', tooMany, { retryAfterSeconds: 60 });
    if (ofAddress < limits.perAddress) return await createSignInLink(db, order);
    await createSignInLink(db, { ...order, email: '' });
    return null;
  });
}

const tooMany = `Too many sign-in links were asked for from here. Try again in ${windowMinutes} minutes, or sign in another way.`;

interface Counts {
  readonly ofNetwork: number;
  readonly ofSite: number;
  readonly ofAddress: number;
  readonly inAll: number;
}

async function countLinks(db: Db, { email, network }: LinkOrder): Promise<Counts> {
  const { rows } = await db.query<Counts>(sql`
    select count(*) filter (where network = ${network}) as "ofNetwork",
           count(*) filter (where starts_with(network, ${siteBeginning(network) ?? network})) as "ofSite",
           count(*) filter (where email = ${email}) as "ofAddress",
           count(*) as "inAll"
      from sign_in_links
     where network <> '' and created_at > now() - make_interval(mins => ${windowMinutes})`);
  return rows[0] ?? { ofNetwork: 0, ofSite: 0, ofAddress: 0, inAll: 0 };
}
