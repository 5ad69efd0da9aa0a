import { createHash } from 'node:crypto';
import type { FilmsKeptBack, FilmVisibility } from '#contract/films.ts';
import { limits } from '#contract/limits.ts';
import type { ListedLast } from '#contract/paging-input.ts';
import { Problem } from '#contract/problem.ts';
import { can, type Roles } from '#contract/roles.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { isBehind, microsecondsOf, pieceOf } from '../db/listed-last.ts';
import { type Statement, sql } from '../db/sql.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { filmsTaken } from '../users/listen-for-rights.ts';
import { makeNoVideoProblem } from './video.ts';

/** Who looks: guests see what everybody may, viewers also what is kept from guests, editors every film. */
export type Sight = 'guest' | 'viewer' | 'editor';

/** How much somebody with these roles sees. */
export function sightOf(roles: Roles | null | undefined): Sight {
  if (can(roles, 'edit')) return 'editor';
  return can(roles, 'view') ? 'viewer' : 'guest';
}

/** Films that somebody who asks does not see. As part of a key it is a short text, the same for the same films. */
export class HiddenFilms {
  readonly ids: ReadonlySet<string>;
  readonly #digest: string;

  constructor(ids: readonly string[]) {
    this.ids = new Set(ids);
    this.#digest = createHash('sha256').update(ids.toSorted().join()).digest('base64url').slice(0, 22);
  }

  toJSON(): string {
    return this.#digest;
  }
}

/** The films that are kept from such a reader at this moment; undefined when there are none, as in most archives. */
export async function findHiddenFilms(db: Db, sight: Sight): Promise<HiddenFilms | undefined> {
  if (sight === 'editor') return undefined;
  const { rows } = await db.query<{ id: string }>(sql`select h.video_id as id from film_visibility h where ${keptFrom(sight)}`);
  return rows.length === 0 ? undefined : new HiddenFilms(rows.map(({ id }) => id));
}

/** Whether this film is kept from such a reader at this moment. */
export async function isHiddenFrom(db: Db, videoId: string, sight: Sight): Promise<boolean> {
  if (sight === 'editor') return false;
  const { rowCount } = await db.query(sql`select from film_visibility h where h.video_id = ${videoId} and ${keptFrom(sight)}`);
  return rowCount === 1;
}

/** Tells every server, when the transaction of `db` ends, that viewers may watch this film no more, where they might until now. */
export async function tellTaken(db: Db, videoId: string): Promise<void> {
  if (await isHiddenFrom(db, videoId, 'viewer')) return;
  await db.query(sql`select pg_notify(${filmsTaken}, id) from videos where id = ${videoId} and state = 'Processed'`);
}

/** Whether a row `h` stands at this moment. */
const stands = sql`(h.until is null or h.until > now())`;

/** Whether a row `h` of `film_visibility` keeps its film from such a reader at this moment. */
export function keptFrom(sight: 'guest' | 'viewer'): Statement {
  return sight === 'guest' ? stands : sql`${stands} and h.shown_to = 'editors'`;
}

interface VisibilityRow {
  readonly shownTo: 'viewers' | 'editors';
  readonly until: Date | null;
  readonly reason: string;
  readonly setBy: string;
  readonly setAt: Date;
}

/** Who sees a film at this moment. */
export async function findVisibility(db: Db, videoId: string): Promise<FilmVisibility> {
  return (await findVisibilities(db, [videoId])).get(videoId) ?? shownToEverybody;
}

/** What holds where nobody said anything. */
export const shownToEverybody: FilmVisibility = { shownTo: 'everybody', until: null, reason: '', setBy: '', setAt: null };

/** Who sees these films, of those that not everybody sees at this moment. */
export async function findVisibilities(db: Db, videoIds: readonly string[]): Promise<Map<string, FilmVisibility>> {
  const { rows } = await db.query<VisibilityRow & { videoId: string }>(sql`
    select h.video_id as "videoId", h.shown_to as "shownTo", h.until, h.reason, coalesce(u.name, '') as "setBy", h.set_at as "setAt"
      from film_visibility h left join users u on u.id = h.set_by
     where h.video_id = any (${videoIds}::text[]) and ${stands}`);
  return new Map(rows.map(({ videoId, ...row }) => [videoId, present(row)]));
}

function present({ shownTo, until, reason, setBy, setAt }: VisibilityRow): FilmVisibility {
  return { shownTo, until: until?.toISOString() ?? null, reason, setBy, setAt: setAt.toISOString() };
}

interface KeptBackRow extends VisibilityRow, ListedLast {
  readonly name: string;
  readonly total: number;
}

/** Films that not everybody sees at this moment, the latest first, piece by piece, and how many there are. */
export async function listKeptBack(db: Db, after?: ListedLast): Promise<FilmsKeptBack> {
  const isKeptBack = sql`${stands} and v.state <> 'Quarantined'`;
  const { rows } = await db.query<KeptBackRow>(sql`
    select (select count(*)::int from film_visibility h join videos v on v.id = h.video_id where ${isKeptBack}) as total,
           ${microsecondsOf(sql`h.set_at`)} as "atMicroseconds", v.id, v.name, h.shown_to as "shownTo", h.until, h.reason, coalesce(u.name, '') as "setBy", h.set_at as "setAt"
      from film_visibility h join videos v on v.id = h.video_id left join users u on u.id = h.set_by
     where ${isKeptBack} and ${isBehind(after, { at: sql`h.set_at`, id: sql`v.id` })}
     order by h.set_at desc, v.id desc
     limit ${limits.pageSizeMax + 1}`);
  return pieceOf(rows, ({ id, name, ...row }) => ({ id, name, ...present(row) }));
}

export interface ShowingTo extends Pick<FilmVisibility, 'shownTo' | 'reason'> {
  readonly videoId: string;
  /** From when on everybody sees it; null for no such time. */
  readonly until: Date | null;
  /** When that was said which the editor saw; null where everybody saw the film. */
  readonly seenAt: string | null;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Says who sees a film from this moment on; returns it as it is kept. Throws a Problem for a film that is not there, for a time that is
 * over, for nobody without a reason or a time, and where somebody else has said something meanwhile.
 */
export async function setVisibility(
  pool: Pool,
  { videoId, shownTo, until, reason, seenAt, actorUid, from }: ShowingTo,
): Promise<FilmVisibility> {
  if (until && until.getTime() <= Date.now()) throw new Problem('invalid_parameter', 'That time has passed. Choose a later one.');
  if (shownTo === 'everybody' && until)
    throw new Problem('invalid_parameter', 'A video visible to everyone cannot have a date. Leave it out.');
  if (shownTo === 'editors' && !until && reason === '') throw new Problem('invalid_parameter', 'Give a reason for taking the video down.');
  return await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(sql`select from videos where id = ${videoId} and state <> 'Quarantined' for update`);
    if (rowCount === 0) throw makeNoVideoProblem();
    const before = await findVisibility(db, videoId);
    if (before.setAt !== seenAt)
      throw new Problem(
        'version_mismatch',
        `${before.setBy || 'Someone'} has just changed who can see this video. Check it, then save again.`,
      );
    const detail = wordVisibility({ shownTo, until: until?.toISOString() ?? null, reason });
    await recordFilmActivity(db, { action: 'film-shown-to', actorUid, videoId, before: wordVisibility(before), detail, from });
    if (shownTo === 'editors') await tellTaken(db, videoId);
    await db.query(sql`delete from film_visibility where video_id = ${videoId}`);
    if (shownTo !== 'everybody')
      await db.query(sql`
        insert into film_visibility (video_id, shown_to, until, reason, set_by)
        values (${videoId}, ${shownTo}, ${until}, ${reason}, ${actorUid})`);
    return await findVisibility(db, videoId);
  });
}

/** As the audit keeps it. */
function wordVisibility({ shownTo, until, reason }: Pick<FilmVisibility, 'shownTo' | 'until' | 'reason'>): string {
  const words = { everybody: 'everyone', viewers: 'viewers only', editors: 'editors only' };
  return [words[shownTo], until ? `until ${until.slice(0, 16).replace('T', ' ')} UTC` : '', reason]
    .filter((part) => part !== '')
    .join(' · ');
}
