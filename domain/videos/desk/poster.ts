import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { drawTitlePoster } from '../../drawing/title-poster.ts';
import { toVideoKeys } from '../../files/video-keys.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { formatCueTime } from '../../moments/captions.ts';
import { addCorrection, findCorrections } from '../../moments/corrections.ts';
import { recordFilmActivity } from '../../users/audit.ts';
import type { FilmArchive } from '../film-archive.ts';
import { findEndMs, lockVideo, requireLock } from '../recompose-video.ts';
import { runStepAgain } from '../steps.ts';

/** What draws a poster that an editor chose. */
export const posterStep = 'poster';

interface PosterChoice {
  readonly videoId: string;
  readonly atMs: number;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Has another second of a film stand for it, until that is taken back; a worker draws it. Throws a Problem for a film without pictures and for a
 * second that it does not have.
 */
export async function choosePoster(
  archive: { pool: Pool; queue: JobQueue },
  { videoId, atMs, actorUid, from }: PosterChoice,
): Promise<void> {
  await inTransaction(archive.pool, async (db) => {
    await requireLock(db, videoId);
    const { rows } = await db.query<{ endMs: number; hasPictures: boolean }>(sql`
      select (duration_seconds * 1000)::float8 as "endMs", origin = 'file' and has_video and state = 'Processed' as "hasPictures"
        from videos where id = ${videoId}`);
    const [film] = rows;
    if (!film?.hasPictures) throw new Problem('conflict', 'This video has no frames to choose from.');
    if (atMs >= film.endMs) throw new Problem('invalid_parameter', 'The video ends before that time.');
    const before = await findChosenPosterMs(db, videoId);
    if (before === atMs) return;
    await addCorrection(db, videoId, {
      target: { layer: 'catalogue', kind: 'Poster', startMs: atMs, endMs: atMs, replaces: '' },
      says: null,
      by: actorUid,
    });
    await recordFilmActivity(db, { action: 'poster-chosen', actorUid, videoId, before: clockOf(before), detail: clockOf(atMs), from });
  });
  await drawChosenPoster(archive, videoId);
}

/** Has the poster drawn that an editor chose last, where it is another one than stands there. */
export async function drawChosenPoster({ pool, queue }: { pool: Pool; queue: JobQueue }, videoId: string): Promise<void> {
  const { rows } = await pool.query<{ shownMs: number | null }>(sql`select poster_ms as "shownMs" from videos where id = ${videoId}`);
  const chosenMs = await findChosenPosterMs(pool, videoId);
  if (chosenMs === null || chosenMs === (rows[0]?.shownMs ?? null)) return;
  await runStepAgain({ pool, queue }, { videoId, step: posterStep }).catch((error: unknown) => {
    // A worker that is at it looks once more before it ends; one that has never been here draws it when it comes.
    if (!(error instanceof Problem && error.code === 'conflict')) throw error;
  });
}

/** The second that an editor chose last of those that the film has, in milliseconds; null where the archive chooses. */
export async function findChosenPosterMs(db: Db, videoId: string): Promise<number | null> {
  const endMs = await findEndMs(db, videoId);
  const chosen = (await findCorrections(db, videoId)).flatMap(({ target, undone }) =>
    target.kind === 'Poster' && !undone && target.startMs < endMs ? [target.startMs] : [],
  );
  return chosen.at(-1) ?? null;
}

/**
 * Notes which second stands for a film: one whose picture is in the store, or null for the poster that the archive chose. False where an editor
 * has chosen another one by now.
 */
export async function showPoster(pool: Pool, videoId: string, atMs: number | null): Promise<boolean> {
  return await inTransaction(pool, async (db) => {
    if (!(await lockVideo(db, videoId))) return true;
    if ((await findChosenPosterMs(db, videoId)) !== atMs) return false;
    await writePoster(db, videoId, atMs);
    return true;
  });
}

/** Within a transaction that holds the film. */
export async function writePoster(db: Db, videoId: string, atMs: number | null): Promise<void> {
  await db.query(
    sql`update videos set poster_ms = ${atMs}, poster_version = poster_version + 1, modified_at = now() where id = ${videoId}`,
  );
}

/** Draws the title of a published film without pictures anew, which is its poster; others keep theirs. */
export async function redrawTitle({ pool, store }: Pick<FilmArchive, 'pool' | 'store'>, videoId: string): Promise<void> {
  await inTransaction(pool, (db) => drawTitle(db, store, videoId));
}

/** The same within the transaction of `db`, also for a film that is deleted and can be brought back. */
export async function drawTitle(db: Db, store: FilmArchive['store'], videoId: string): Promise<void> {
  const { rows } = await db.query<{ name: string }>(sql`
    select name from videos v
     where id = ${videoId} and not has_video
       and (state = 'Processed'
            or exists (select from deletions d where d.video_id = v.id and d.state_before = 'Processed' and d.erasing_at is null))
       for update`);
  const [film] = rows;
  if (!film) return;
  await store.put(toVideoKeys(videoId).poster, drawTitlePoster(film.name));
  await writePoster(db, videoId, null);
}

/** Notes that the small pictures of a film, by seconds or shots, are other ones: browsers ask for those by other ids. */
export async function noteOtherPictures(db: Db, videoId: string): Promise<void> {
  await db.query(sql`update videos set pictures_version = pictures_version + 1 where id = ${videoId}`);
}

/** A time of a film as the activity says it; empty where there is none. */
export function clockOf(ms: number | null): string {
  return ms === null ? '' : formatCueTime(ms);
}
