import { toDisplayName } from '#contract/display-name.ts';
import { Problem } from '#contract/problem.ts';
import { inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { FileStore } from '../files/store.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { withVideoClaim } from '../jobs/worker-lease.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { isTitle, lockDeletion } from './deletions.ts';
import type { FilmArchive } from './film-archive.ts';
import { noteForgetting } from './people/index-forgets.ts';

type Archive = Pick<FilmArchive, 'pool' | 'store'>;

interface Erasing {
  readonly videoId: string;
  /** What the film is called, as the administrator gave it. */
  readonly name: string;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Erases a deleted film at once and for good: its original, all that was made of it, its rows, and the words of the audit that quote it.
 * Once it is noted, the next sweep ends a call that was cut off. Throws a Problem for a film that is not deleted, another title, and while a
 * worker has it in hand.
 */
export async function eraseFilm(archive: Archive, { videoId, name, actorUid, from }: Erasing): Promise<void> {
  const erased = await withVideoClaim(archive.pool, videoId, async () => {
    await noteErasing(archive.pool, videoId, { name, actorUid, from });
    await eraseNoted(archive, videoId);
    return true;
  });
  if (!erased) throw new Problem('conflict', 'A worker is still stopping its work on this video. Try again in a minute.');
}

interface EraseDue {
  /** For how many days films can be brought back. */
  readonly keptDays: number;
  readonly told: (videoId: string) => void;
  /** Told of one that could not be erased this time; the others are not held up by it. */
  readonly failed: (videoId: string, error: unknown) => void;
  /** Ends it behind the film that it has in hand. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Erases every film that was deleted longer ago than films can be brought back, and ends what was cut off; whatever has no row in
 * `deletions` is left alone. A film that a worker has in hand waits for the next sweep. Tells each by its id; returns how many.
 */
export async function eraseDueFilms(archive: Archive, { keptDays, told, failed, signal }: EraseDue): Promise<number> {
  let count = 0;
  for (let afterId: string | undefined = ''; afterId !== undefined; ) {
    const due: string[] = await findDue(archive.pool, { keptDays, afterId });
    for (const videoId of due) {
      if (signal?.aborted) return count;
      const erased = await withVideoClaim(archive.pool, videoId, async () => {
        if (!(await findDue(archive.pool, { keptDays, among: [videoId] })).includes(videoId)) return false;
        await noteErasing(archive.pool, videoId, { from: 'the sweep' });
        await eraseNoted(archive, videoId);
        return true;
      }).catch((error: unknown) => failed(videoId, error));
      if (!erased) continue;
      count += 1;
      told(videoId);
    }
    afterId = due.at(-1);
  }
  return count;
}

const filmsPerBatch = 100;

/** Ids of films whose time is over, in their order; of `among`, where that is given. */
async function findDue(
  pool: Pool,
  { keptDays, afterId = '', among = null }: { keptDays: number; afterId?: string; among?: readonly string[] | null },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(sql`
    select video_id as id from deletions
     where video_id > ${afterId} and (${among}::text[] is null or video_id = any (${among}::text[]))
       and (erasing_at is not null or deleted_at < now() - make_interval(days => ${keptDays}))
     order by video_id limit ${filmsPerBatch}`);
  return rows.map(({ id }) => id);
}

/** By the sweep it happens in the name of who deleted the film. */
async function noteErasing(pool: Pool, videoId: string, by: { name?: string; actorUid?: string; from: string }): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { name, deletedBy, isErasing } = await lockDeletion(db, videoId);
    if (by.name !== undefined && !isTitle(by.name, name))
      throw new Problem('version_mismatch', `The title does not match: the video is called “${toDisplayName(name)}”. Nothing was erased.`);
    if (isErasing) return;
    const actorUid = by.actorUid ?? deletedBy;
    await recordFilmActivity(db, { action: 'film-erased', actorUid, videoId, before: '', detail: '', from: by.from });
    await db.query(sql`update deletions set erasing_at = now() where video_id = ${videoId}`);
  });
}

/** Deletes all files of a film, also those in the trash: there they would outlive the erasure of one that has the same content. */
export async function removeForGood(store: FileStore, videoId: string): Promise<void> {
  await store.erase(toVideoKeys(videoId).all);
  await store.trash.purgeOf(videoId);
}

/** Files first: as long as the row is there, nobody takes what is left of them for another film's, and the next sweep goes on. */
async function eraseNoted({ pool, store }: Archive, videoId: string): Promise<void> {
  await removeForGood(store, videoId);
  await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(sql`
      delete from videos where id = ${videoId} and exists (select from deletions where video_id = ${videoId} and erasing_at is not null)`);
    if (rowCount !== 1) throw new Error(`film ${videoId} was to be erased and is not noted as such`);
    await db.query(sql`delete from uploads where became = ${videoId} or video_id = ${videoId}`);
    // What was done to it stays known, what it said does not.
    await db.query(sql`select set_config('rushes.forgets', 'on', true)`);
    await db.query(sql`
      update audit set before = '', detail = ''
       where video_id = ${videoId} and action not in ('film-deleted', 'film-restored', 'film-erased')`);
    // Old versions of the index hold its words until it is built anew.
    await noteForgetting(db);
  });
}
