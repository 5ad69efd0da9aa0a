/*
 * People of the archive: signing in makes them (record-sign-in), roles changes what they may, audit keeps who changed what.
 * This lists them for administrators.
 */
import { domainToUnicode } from 'node:url';
import { can, type Roles } from '#contract/roles.ts';
import type { ListUsersInput, SignInWay, UserPage, UserRow } from '#contract/users.ts';
import type { Db, Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { avatarAddress } from './avatar-address.ts';

/** A page of the users collection; at those who wait stands what an administrator should look at twice. */
export async function listUsers(pool: Pool, wanted: ListUsersInput): Promise<UserPage> {
  const { group, skip, pageSize } = wanted;
  const pattern = patternOf(wanted.search);
  const people = await findPeople(pool, { ...wanted, pattern });
  const total = await countPeople(pool, { group, pattern });
  const hasWaiting = people.some(({ roles }) => !can(roles, 'view'));
  const cautionsOf = hasWaiting ? lookOut(await findActive(pool)) : () => [];
  return {
    users: people.map((person) => userRow(person, can(person.roles, 'view') ? [] : cautionsOf(person))),
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
     order by case ${by} when 'displayName asc' then lower(name) when 'email asc' then nullif(email, '') end,
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
  return rows[0] ? userRow(rows[0], []) : null;
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
function userRow(person: PersonRow, cautions: Caution[]): UserRow {
  return {
    uid: person.uid,
    email: person.email,
    emailVerified: person.emailVerified,
    displayName: person.displayName,
    photoUrl: avatarAddress(person.email || person.uid),
    roles: person.roles,
    authVersion: person.authVersion,
    signInWays: person.signInWays,
    signedUpAt: person.signedUpAt.toISOString(),
    activatedAt: person.activatedAt?.toISOString() ?? null,
    note: person.note,
    cautions,
  };
}

export type Caution = UserRow['cautions'][number];

/** What a look-alike is told from: somebody's name and e-mail, empty when there is none. */
export interface Known {
  readonly uid: string;
  readonly displayName: string;
  readonly email: string;
}

/**
 * Prepares to tell look-alikes of those who are active. What comes back says of somebody who waits what an administrator should
 * look at twice: letters of several scripts in one word, and the name or the address of somebody active, or one that looks like it.
 */
export function lookOut(active: readonly Known[]): (person: Known) => Caution[] {
  const hostLooks = new Map<string, string>();
  const byName = Map.groupBy(active, ({ displayName }) => lookOf(displayName));
  const byLocal = Map.groupBy(active, ({ email }) => localOf(email));
  const hostOf = ({ email }: Known) => {
    const host = email.slice(email.lastIndexOf('@') + 1);
    const look = hostLooks.get(host) ?? lookOf(domainToUnicode(host));
    hostLooks.set(host, look);
    return look;
  };
  return (person) => {
    const isAnother = ({ uid }: Known) => uid !== person.uid;
    const [name, local] = [lookOf(person.displayName), localOf(person.email)];
    const namesakes = name === '' ? [] : (byName.get(name) ?? []).filter(isAnother);
    const neighbours = local === '' ? [] : (byLocal.get(local) ?? []).filter(isAnother);
    const cautions: Caution[] = [];
    if (mixesScripts(person.displayName)) cautions.push('mixed-scripts');
    if (namesakes.length > 0) cautions.push('same-name');
    if (neighbours.some((other) => isSlipAway(hostOf(person), hostOf(other)))) cautions.push('similar-address');
    return cautions;
  };
}

/** Scripts whose letters pass for one another; those of East Asia are written together with Latin ones as a matter of course. */
const scripts = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u];

function mixesScripts(name: string): boolean {
  return name.split(/[^\p{L}\p{M}]+/u).some((word) => scripts.filter((script) => script.test(word)).length > 1);
}

/** Letters of other scripts, and digits, that look like Latin small letters. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: 'a',
    в: 'b',
    е: 'e',
    к: 'k',
    м: 'm',
    н: 'h',
    о: 'o',
    р: 'p',
    с: 'c',
    т: 't',
    у: 'y',
    х: 'x',
    ѕ: 's',
    і: 'i',
    ј: 'j',
    ԁ: 'd',
    ԛ: 'q',
    α: 'a',
    β: 'b',
    ε: 'e',
    η: 'n',
    ι: 'i',
    κ: 'k',
    μ: 'm',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
    ζ: 'z',
    ϲ: 'c',
    ı: 'i',
    ɑ: 'a',
    ɡ: 'g',
    ո: 'n',
    օ: 'o',
    ս: 'u',
    հ: 'h',
    ց: 'g',
    '0': 'o',
    '1': 'l',
    '|': 'l',
  }),
);

/** The text as it looks from afar: without case, accents, gaps, and the script that its letters are of. */
function lookOf(text: string): string {
  // Nearly all there is; the other way takes ten times as long.
  if (/^[a-z ]*$/i.test(text)) return blurred(text.toLowerCase().replaceAll(' ', ''));
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}|]+/gu, '');
  return blurred([...letters].map((letter) => lookAlikes.get(letter) ?? letter).join(''));
}

/** Latin letters that look like others next to each other. */
function blurred(letters: string): string {
  return letters.replaceAll('i', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** How what stands before the `@` looks; empty when there is no address. */
function localOf(email: string): string {
  return lookOf(email.slice(0, Math.max(0, email.lastIndexOf('@'))));
}

/** Whether they are the same, or one letter more, less or other makes one of the other. Short names differ by one without being alike. */
function isSlipAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short === long) return true;
  if (short.length < 8 || long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return short.slice(short.length === long.length ? same + 1 : same) === long.slice(same + 1);
}
