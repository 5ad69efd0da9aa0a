/*
 * People of the archive: signing in makes them (record-sign-in), roles changes what they may, audit keeps who changed what.
 * This lists them for administrators.
 */
import { can, type Roles } from '#contract/roles.ts';
import type { ListUsersInput, SignInWay, UserPage, UserRow } from '#contract/users.ts';
import type { Db, Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { toAvatarAddress } from './avatar-address.ts';
import { type Caution, type Known, lookOut } from './look-alikes.ts';

/** A page of the users collection; at those who wait stands what an administrator should look at twice. */
export async function listUsers(pool: Pool, wanted: ListUsersInput): Promise<UserPage> {
  const { group, skip, pageSize } = wanted;
  const pattern = patternOf(wanted.search);
  const people = await findPeople(pool, { ...wanted, pattern });
  const total = await countPeople(pool, { group, pattern });
  const hasWaiting = people.some(({ roles }) => !can(roles, 'view'));
  const cautionsOf = hasWaiting ? lookOut(await findActive(pool)) : () => [];
  return {
    users: people.map((person) => toUserRow(person, can(person.roles, 'view') ? [] : cautionsOf(person))),
    total,
    nextPage: { skip: skip + pageSize, done: skip + people.length >= total },
  };
}

/** For ILIKE: the text itself, its wildcards meaning nothing. No stored text holds a NUL, and the database refuses to be asked for one. */
function patternOf(search: string): string {
  return `%${search
    .trim()
    .replaceAll('\0', '')
    .replace(/[\\%_]/g, '\\$&')}%`;
}

async function findPeople(
  pool: Pool,
  { group, pattern, sort, order, skip, pageSize }: ListUsersInput & { pattern: string },
): Promise<PersonRow[]> {
  const by = `${sort} ${order}`;
  const { rows } = await pool.query<PersonRow>(sql`
    select uid, email, email_verified as "emailVerified", name as "displayName", roles, auth_version as "authVersion",
           sign_in_ways as "signInWays", created_at as "signedUpAt", activated_at as "activatedAt", note
      from people
     where (${group} = 'all' or is_active = (${group} = 'active')) and (name ilike ${pattern} or email ilike ${pattern})
     order by case when ${group} = 'waiting' then activated_at is not null end,
              case ${by} when 'displayName asc' then lower(name) when 'email asc' then nullif(email, '') end,
              case ${by} when 'displayName desc' then lower(name) when 'email desc' then email end desc,
              case when ${by} = 'signedUpAt desc' then created_at end desc,
              created_at, uid
     limit ${pageSize} offset ${skip}`);
  return rows;
}

async function countPeople(pool: Pool, { group, pattern }: { group: string; pattern: string }): Promise<number> {
  const { rows } = await pool.query<{ total: number }>(sql`
    select count(*) as total from people
     where (${group} = 'all' or is_active = (${group} = 'active')) and (name ilike ${pattern} or email ilike ${pattern})`);
  return rows[0]?.total ?? 0;
}

/** How many have signed up and were never let in. */
export async function countWaiting(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ total: number }>(
    sql`select count(*) as total from people where not is_active and activated_at is null`,
  );
  return rows[0]?.total ?? 0;
}

async function findActive(pool: Pool): Promise<Known[]> {
  const { rows } = await pool.query<Known>(sql`select uid, name as "displayName", email from people where is_active`);
  return rows;
}

/** Somebody of the users collection; null when there is nobody with this id. What to look at twice is said in the list only. */
export async function findUser(db: Db, uid: string): Promise<UserRow | null> {
  // No stored text holds a NUL, and the database refuses to be asked for one.
  if (uid.includes('\0')) return null;
  const { rows } = await db.query<PersonRow>(sql`
    select uid, email, email_verified as "emailVerified", name as "displayName", roles, auth_version as "authVersion",
           sign_in_ways as "signInWays", created_at as "signedUpAt", activated_at as "activatedAt", note
      from people where uid = ${uid}`);
  return rows[0] ? toUserRow(rows[0], []) : null;
}

/** A row of the view `people`, columns renamed. */
interface PersonRow {
  readonly uid: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName: string;
  readonly roles: Roles;
  readonly authVersion: number;
  readonly signInWays: SignInWay[];
  readonly signedUpAt: Date;
  readonly activatedAt: Date | null;
  readonly note: string;
}

/** The same as it goes over the wire. */
function toUserRow(person: PersonRow, cautions: Caution[]): UserRow {
  return {
    uid: person.uid,
    email: person.email,
    emailVerified: person.emailVerified,
    displayName: person.displayName,
    photoUrl: toAvatarAddress(person.email || person.uid),
    roles: person.roles,
    authVersion: person.authVersion,
    signInWays: person.signInWays,
    signedUpAt: person.signedUpAt.toISOString(),
    activatedAt: person.activatedAt?.toISOString() ?? null,
    note: person.note,
    cautions,
  };
}
