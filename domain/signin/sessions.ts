import { randomUUID } from 'node:crypto';
import type { OwnSession } from '#contract/account.ts';
import { serverLimits } from '#contract/limits.ts';
import type { Roles } from '#contract/roles.ts';
import type { SignedInUser } from '#contract/session.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { toAvatarAddress } from '../users/avatar-address.ts';
import { hashOf, makeRandomSecret } from './one-time-secret.ts';

export interface LiveSession {
  readonly sid: string;
  readonly user: SignedInUser & { readonly authVersion: number };
}

/** How a session begins, for the page on which people look after their own. */
interface Beginning {
  readonly userAgent: string;
  /** A provider's id, `email` for a link by mail, or `command line` for one by the operator. */
  readonly signedInBy: string;
}

/**
 * Starts a session of this user, and ends what has run out of theirs and what is more than a hundred, the oldest first: nobody
 * fills the table by signing in. `secret` is for their cookie and is stored nowhere.
 */
export async function startSession(db: Db, uid: string, { userAgent, signedInBy }: Beginning): Promise<{ sid: string; secret: string }> {
  const sid = randomUUID();
  const secret = makeRandomSecret();
  await db.query(sql`
    insert into sessions (id, user_id, token_hash, user_agent, signed_in_by)
    values (${sid}, ${uid}, ${hashOf(secret)}, ${userAgent.slice(0, serverLimits.userAgentMaxCharacters)}, ${signedInBy})`);
  await db.query(sql`
    delete from sessions where user_id = ${uid} and key_id is null and id not in (
      select l.id from live_sessions l join sessions s on s.id = l.id and s.key_id is null
       where l.user_id = ${uid} order by l.last_seen_at desc, l.id = ${sid} desc limit ${serverLimits.sessionsPerUser})`);
  return { sid, secret };
}

/** The living session of a cookie's secret, with its user's roles of this moment; counts as use. */
export async function findSessionBySecret(db: Db, secret: string): Promise<LiveSession | null> {
  const { rows } = await db.query<SessionRow>(sql`
    select id as sid, user_id as uid, email, name, roles, auth_version as "authVersion",
           last_seen_at < now() - interval '5 minutes' as "isStale"
      from live_sessions where token_hash = ${hashOf(secret)}`);
  const [row] = rows;
  if (!row) return null;
  // Written every five minutes of use at most, so that reading pages writes next to nothing.
  if (row.isStale) await db.query(sql`update sessions set last_seen_at = now() where id = ${row.sid}`);
  return toLiveSession(row);
}

/** The living session with this id, when it is this user's. */
export async function findSessionById(db: Db, { sid, uid }: { sid: string; uid: string }): Promise<LiveSession | null> {
  const { rows } = await db.query<SessionRow>(sql`
    select id as sid, user_id as uid, email, name, roles, auth_version as "authVersion", false as "isStale"
      from live_sessions where id = ${sid} and user_id = ${uid}`);
  return rows[0] ? toLiveSession(rows[0]) : null;
}

/** Ends a session; every token made from it ends with it. */
export async function endSession(db: Db, sid: string): Promise<void> {
  await db.query(sql`delete from sessions where id = ${sid}`);
}

/** Removes what has run out: sessions, links, and sign-ins that nobody finished. */
export async function sweepSignIn(db: Db): Promise<void> {
  await db.query(sql`delete from sessions where id not in (select id from live_sessions)`);
  await db.query(sql`delete from sign_in_links where expires_at < now() - make_interval(days => ${serverLimits.signInLinkKeptDays})`);
  await forgetUnfinished(db);
}

const unfinishedAtOnce = 1_000;

/** Removes sign-ins at a provider that nobody finished in time; so many that beginning ever more of them fills no table. */
export async function forgetUnfinished(db: Db): Promise<void> {
  await db.query(sql`
    delete from verifications where id in (
      select id from verifications where expires_at < now() order by expires_at limit ${unfinishedAtOnce} for update skip locked)`);
}

interface SessionRow {
  readonly sid: string;
  readonly uid: string;
  readonly email: string | null;
  readonly name: string;
  readonly roles: Roles;
  readonly authVersion: number;
  readonly isStale: boolean;
}

function toLiveSession({ sid, uid, email, name, roles, authVersion }: SessionRow): LiveSession {
  return { sid, user: { uid, email: email ?? '', displayName: name, photoUrl: toAvatarAddress(email || uid), roles, authVersion } };
}

/** The living sessions of one person in browsers, the one that asks first, then by last use. */
export async function listOwnSessions(db: Db, { uid, sid }: { uid: string; sid: string }): Promise<OwnSession[]> {
  const { rows } = await db.query<{ sid: string; userAgent: string; signedInAt: Date; lastSeenAt: Date }>(sql`
    select s.id as sid, s.user_agent as "userAgent", s.created_at as "signedInAt", s.last_seen_at as "lastSeenAt"
      from sessions s join live_sessions l on l.id = s.id
     where s.user_id = ${uid} and s.key_id is null order by s.id = ${sid} desc, s.last_seen_at desc, s.id`);
  return rows.map((row) => ({
    sid: row.sid,
    browser: nameBrowser(row.userAgent),
    signedInAt: row.signedInAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    isThis: row.sid === sid,
  }));
}

/** Ends one session of this person; whether there was one. */
export async function endOwnSession(db: Db, { uid, sid }: { uid: string; sid: string }): Promise<boolean> {
  if (sid.includes('\0')) return false;
  const { rowCount } = await db.query(sql`delete from sessions where id = ${sid} and user_id = ${uid}`);
  return rowCount === 1;
}

/** Ends every session of this person, the one that asks too. */
export async function endOwnSessions(db: Db, uid: string): Promise<void> {
  await db.query(sql`delete from sessions where user_id = ${uid}`);
}

/** The first that is found in a browser's own description of itself; browsers claim to be the older ones too, so the order matters. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|HeadlessChrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
];
const systems: readonly [RegExp, string][] = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** A browser by its `User-Agent`, in plain words: `Chrome on Linux`. */
export function nameBrowser(userAgent: string): string {
  const browser = browsers.find(([sign]) => sign.test(userAgent))?.[1];
  const system = systems.find(([sign]) => sign.test(userAgent))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system ? `A browser on ${system}` : 'An unknown browser');
}
