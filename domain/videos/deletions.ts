import { toDisplayName } from '#contract/display-name.ts';
import type { DeletedFilm, DeletedFilms } from '#contract/films.ts';
import { limits } from '#contract/limits.ts';
import type { ListedLast } from '#contract/paging-input.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { isBehind, microsecondsOf, pieceOf } from '../db/listed-last.ts';
import { sql } from '../db/sql.ts';
import { ingestQueue } from '../jobs/ingest-queue.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { waitsAgain } from './record-step.ts';
import { dropAllPieces } from './step-pieces.ts';
import { makeNoVideoProblem } from './video.ts';
import { tellTaken } from './visibility.ts';

interface ByEditor {
  readonly videoId: string;
  readonly actorUid: string;
  readonly from: string;
}

export interface Deleting extends ByEditor {
  /** What the film was called when the editor saw it. */
  readonly name: string;
  readonly reason: string;
  /** Only as long as nobody can watch it yet. */
  readonly isUnderWay?: true | undefined;
}

/**
 * Deletes a film: from now on nothing shows it, and what a worker is doing with it ends. Its files, layers and corrections stay as they are,
 * so that it can be brought back. Throws a Problem for a film that is not there, is deleted already, plays although only one under way was meant, or has another title by now.
 */
export async function deleteFilm(pool: Pool, { videoId, name, reason, isUnderWay, actorUid, from }: Deleting): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ name: string; isDeleted: boolean; plays: boolean }>(sql`
      select name, state = 'Quarantined' as "isDeleted", state = 'Processed' as plays from videos where id = ${videoId} for update`);
    const [video] = rows;
    if (!video) throw makeNoVideoProblem();
    if (video.isDeleted) throw new Problem('conflict', 'This video has already been deleted. You find it under Deleted.');
    if (isUnderWay && video.plays) throw new Problem('conflict', 'This video is playable now. Delete it on its page.');
    if (!isTitle(name, video.name))
      throw new Problem('version_mismatch', `Someone else has changed the title: it is “${toDisplayName(video.name)}” now.`);
    await recordFilmActivity(db, { action: 'film-deleted', actorUid, videoId, before: '', detail: reason, from });
    await db.query(sql`
      insert into deletions (video_id, state_before, deleted_by, reason)
      select id, state, ${actorUid}, ${reason} from videos where id = ${videoId}`);
    await tellTaken(db, videoId);
    // That it leaves the index as well is noted by a trigger.
    await db.query(sql`update videos set state = 'Quarantined', modified_at = now() where id = ${videoId}`);
    // A worker that is at a step stops, and a film that comes back goes on with that step, from its first piece.
    await db.query(sql`
      update ingest_steps set ${waitsAgain} where video_id = ${videoId} and state = 'running'`);
    await dropAllPieces(db, videoId);
  });
}

/**
 * Brings a deleted film back as it was, under its id; one that was on its way in goes on. Throws a Problem for one that is not deleted, or
 * is being erased.
 */
export async function restoreFilm({ pool, queue }: { pool: Pool; queue: JobQueue }, { videoId, actorUid, from }: ByEditor): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { stateBefore, isFile, isErasing } = await lockDeletion(db, videoId);
    if (isErasing) throw new Problem('conflict', 'This video is being erased and cannot be restored.');
    await recordFilmActivity(db, { action: 'film-restored', actorUid, videoId, before: '', detail: '', from });
    const state = stateBefore === 'Processing' ? 'Uploaded' : stateBefore;
    await db.query(sql`update videos set state = ${state}, revision = revision + 1, modified_at = now() where id = ${videoId}`);
    await db.query(sql`delete from deletions where video_id = ${videoId}`);
    if (state === 'Processed') await db.query(sql`select pg_notify('videos_to_index', ${videoId})`);
    // What a worker published meanwhile counted for nothing.
    else await db.query(sql`delete from ingest_steps where video_id = ${videoId} and step = 'publish'`);
    if (isFile && state !== 'Failed') await queue.enqueue(ingestQueue, { videoId }, { db });
  });
}

interface LockedDeletion {
  readonly name: string;
  readonly stateBefore: string;
  readonly deletedBy: string;
  readonly isFile: boolean;
  readonly isErasing: boolean;
}

/** Keeps others from changing a deleted film until the transaction of `db` ends. Throws a Problem for one that is not deleted. */
export async function lockDeletion(db: Db, videoId: string): Promise<LockedDeletion> {
  const { rows } = await db.query<LockedDeletion>(sql`
    select v.name, d.state_before as "stateBefore", d.deleted_by as "deletedBy", v.origin = 'file' as "isFile",
           d.erasing_at is not null as "isErasing"
      from videos v join deletions d on d.video_id = v.id where v.id = ${videoId} for update`);
  const [found] = rows;
  if (!found) throw new Problem('not_found', 'There is no such deleted video. It may have been restored or erased.');
  return found;
}

/** Whether a film of this name is meant, with its item code or without. */
export function isTitle(given: string, name: string): boolean {
  return given === name || given === toDisplayName(name);
}

/** For how many days a deleted film can be brought back in an archive with such a database. */
export function deletedKeptDaysFor({ databaseUrl }: { readonly databaseUrl: string | undefined }): number {
  return databaseUrl ? Math.max(limits.deletedKeptDays, limits.restorableDays) : limits.deletedKeptDays;
}

interface DeletedRow extends Omit<DeletedFilm, 'deletedAt'> {
  readonly deletedAt: Date;
  readonly atMicroseconds: number;
  readonly total: number;
}

/** Films that are deleted, the latest first, without those that are being erased, piece by piece, and how many there are; each can be brought back for `keptDays`. */
export async function listDeletedFilms(
  db: Db,
  { keptDays, after }: { readonly keptDays: number; readonly after?: ListedLast | undefined },
): Promise<DeletedFilms> {
  const { rows } = await db.query<DeletedRow>(sql`
    select (select count(*)::int from deletions where erasing_at is null) as total, ${microsecondsOf(sql`d.deleted_at`)} as "atMicroseconds", v.id, v.name, d.reason, coalesce(u.name, '') as "deletedBy", d.deleted_at as "deletedAt",
           greatest(0, ceil(extract(epoch from d.deleted_at + make_interval(days => ${keptDays}) - now()) / 86400))::int as "daysLeft"
      from deletions d join videos v on v.id = d.video_id left join users u on u.id = d.deleted_by
     where d.erasing_at is null and ${isBehind(after, { at: sql`d.deleted_at`, id: sql`v.id` })}
     order by d.deleted_at desc, v.id desc
     limit ${limits.pageSizeMax + 1}`);
  return pieceOf(rows, ({ total: _, atMicroseconds: _at, deletedAt, ...film }) => ({ ...film, deletedAt: deletedAt.toISOString() }));
}

/** Whether a film is deleted, for what should not go on with it then. */
export async function isDeleted(db: Db, videoId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`select from deletions where video_id = ${videoId}`);
  return rowCount === 1;
}

/** Throws a Problem where the archive holds this content as a film that is deleted: bringing it back is what its sender wants. */
export async function refuseDeletedContent(db: Db, contentHash: string): Promise<void> {
  const { rows } = await db.query<{ name: string; isErasing: boolean }>(sql`
    select v.name, d.erasing_at is not null as "isErasing"
      from videos v join deletions d on d.video_id = v.id where v.content_hash = ${contentHash}`);
  const [film] = rows;
  if (!film) return;
  if (film.isErasing) throw new Problem('unavailable', `The same video, “${film.name}”, is being erased. Send it again in a few minutes.`);
  throw new Problem('conflict', `This is the deleted video “${film.name}”. Restore it from the desk, under Deleted.`);
}
