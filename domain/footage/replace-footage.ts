import { stat } from 'node:fs/promises';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { sha256OfStored } from '../files/sha256.ts';
import type { FileStore, TrashEntry } from '../files/store.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { ingestQueue } from '../jobs/ingest-queue.ts';
import { originalOf, withVideoClaim } from '../jobs/worker-lease.ts';
import { errorCodeOf } from '../system/error-code.ts';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { refuseDeletedContent } from '../videos/deletions.ts';
import { failVideo } from '../videos/fail-video.ts';
import type { FilmArchive } from '../videos/film-archive.ts';
import { findFootage, withFilmInHand } from '../videos/footage.ts';
import { waitsAgain } from '../videos/record-step.ts';
import { dropAllPieces } from '../videos/step-pieces.ts';
import type { AddedFootage } from './add-footage.ts';
import { requireReplaceable, type Upload } from './uploads.ts';

type Archive = Pick<FilmArchive, 'pool' | 'store' | 'queue'>;

interface Replacing {
  readonly upload: Upload;
  /** Where the new file lies; in the film's place already, where an earlier call was cut off. */
  readonly path: string;
  readonly contentHash: string;
  readonly actorUid: string;
  readonly from: string;
  /** Puts what came beside it in its place. */
  readonly keepSidecars: () => Promise<void>;
}

/**
 * Puts another file in the place of a film's: under the same id and address, with corrections as they are. The old one goes to the trash; what was made of it
 * plays and is found until the steps have done the new one, each of which puts what it finds in the place of what it found, or takes that away where it comes to nothing. Cut off anywhere, the film has one of
 * the two whole, and the same call goes on. Throws a Problem where another film has the same content, and where the film is gone by now: `takeBackFootage` then;
 * and `unavailable` while somebody has a film in hand that failed. Whoever calls has claimed its original.
 */
export async function replaceFootage(archive: Archive, replacing: Replacing): Promise<AddedFootage> {
  const { pool } = archive;
  const videoId = await requireReplaceable(pool, replacing.upload.videoId);
  const put = () => putInPlace(archive, videoId, replacing);
  // One that failed may be taken up by its own file at the same moment, and its files be swept; nobody has that one in hand for long.
  return (await findFootage(pool, videoId))?.state === 'Failed' ? await withFilmInHand(pool, videoId, put) : await put();
}

async function putInPlace(
  { pool, store, queue }: Archive,
  videoId: string,
  { upload, path, contentHash, actorUid, from, keepSidecars }: Replacing,
): Promise<AddedFootage> {
  await refuseFileOfAnother(pool, videoId, contentHash);
  const { original } = toVideoKeys(videoId);
  if (await stat(path).catch(ignoreAbsent)) {
    if (!(await findFileBefore(store, upload))) await store.copyToTrash(original, cameInPlace(upload));
    await store.put(original, { path });
  }
  await keepSidecars();
  await inTransaction(pool, async (db) => {
    const { rows: before } = await db.query<{ fileName: string }>(sql`
      select file_name as "fileName" from videos where id = ${videoId} and state <> 'Quarantined' for update`);
    const { rowCount } = await db.query(sql`update uploads set finished_at = now(), became = ${videoId} where id = ${upload.id}`);
    if (!before[0] || rowCount !== 1) throw new Problem('not_found', `${upload.fileName} has been cancelled. Send it again.`);
    await recordFilmActivity(db, {
      action: 'film-replaced',
      actorUid,
      videoId,
      before: before[0].fileName,
      detail: upload.fileName,
      from,
    });
    await db.query(sql`
      update videos
         set content_hash = ${contentHash}, file_name = ${upload.fileName}, size_bytes = ${upload.sizeBytes}, modified_at = now(),
             state = case when state = 'Processed' then state else 'Uploaded' end, failure_code = null, failure_message = null,
             processing_percent = case when state = 'Processed' then 100 else 0 end
       where id = ${videoId}`);
    await beginAnew({ queue }, db, videoId);
  }).catch(async (error: unknown) => {
    // The same came in as a film of its own since the look.
    if (errorCodeOf(error) === uniqueViolation) await refuseFileOfAnother(pool, videoId, contentHash);
    throw error;
  });
  return { videoId, wasKnown: false };
}

/** Has every step done with the file that a film has now. */
async function beginAnew({ queue }: Pick<Archive, 'queue'>, db: Db, videoId: string): Promise<void> {
  // What was found out of the file before says nothing of this one, which was read as it came.
  await db.query(sql`delete from original_checks where video_id = ${videoId}`);
  // A worker that is at one of them now is at the file before, and notes nothing of it; no step is done with this one by what it knows of that.
  await dropAllPieces(db, videoId);
  await db.query(sql`
    insert into ingest_steps (video_id, step, state) select ${videoId}, name, 'waiting' from steps
    on conflict (video_id, step) do update set ${waitsAgain}, result = null`);
  await queue.enqueue(ingestQueue, { videoId }, { db });
}

const uniqueViolation = '23505';

async function refuseFileOfAnother(pool: Pool, videoId: string, contentHash: string): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(sql`
    select name from videos where content_hash = ${contentHash} and id <> ${videoId}`);
  const [same] = rows;
  if (!same) return;
  await refuseDeletedContent(pool, contentHash);
  throw new Problem('conflict', `“${same.name}” already uses this file. Delete one of the two videos instead.`);
}

/** Of each upload its own: of two in the place of one film's file the second replaces the first. */
function cameInPlace(upload: Upload): string {
  return `${replacedBy(upload.fileName)} ${mark(upload)}`;
}

function replacedBy(fileName: string): string {
  return `Replaced by “${fileName}”`;
}

/** By which it is found again, in the words of every version: it stays as it is. */
function mark({ id }: Upload): string {
  return `(upload ${id}).`;
}

/** What an upload took the place of, or is about to. */
async function findFileBefore({ trash }: FileStore, upload: Upload): Promise<TrashEntry | undefined> {
  const { original } = toVideoKeys(upload.videoId);
  return (await trash.list(upload.videoId)).find(({ key, reason }) => key === original && reason.endsWith(mark(upload)));
}

/**
 * Gives a film the file back that an upload took the place of and cannot be recorded for; what came lies in the trash then. False where the film has
 * another one than that.
 */
export async function takeBackFootage(store: FileStore, upload: Upload, contentHash: string): Promise<boolean> {
  const { original } = toVideoKeys(upload.videoId);
  const before = await findFileBefore(store, upload);
  const there = await store.openRange(original);
  if (!before || !there || (await sha256OfStored(there)) !== contentHash) return false;
  await store.copyToTrash(original, `“${upload.fileName}” could not replace it.`);
  await store.trash.putBack(before.name, { isOver: true });
  return true;
}

/** What became of a film whose file cannot be read. */
type Refused = { readonly is: 'failed'; readonly taken: TrashEntry | null } | { readonly is: 'put-back' | 'kept' };

interface Refusal {
  readonly videoId: string;
  /** Of the file that cannot be read. */
  readonly contentHash: string | null;
  readonly code: string;
  readonly message: string;
}

/**
 * Ends a film whose file cannot be read: the reason stays with it, what was given lies in the trash until an operator purges it, and one that plays has
 * its file of before. One that has another file by now is kept as it is. Undefined, and nothing changes, while another file is put in its place.
 */
export async function refuseFootage(archive: Archive, refusal: Refusal): Promise<Refused | undefined> {
  const { pool, store } = archive;
  const { videoId, code, message } = refusal;
  return await withVideoClaim(pool, originalOf(videoId), async () => {
    if (await failVideo(pool, refusal))
      return { is: 'failed', taken: await store.remove(toVideoKeys(videoId).all, `refused (${code}): ${message}`) };
    return { is: (await putBackFootage(archive, refusal)) ? 'put-back' : 'kept' };
  });
}

/**
 * Gives a film that plays the file back in whose place one came that cannot be read, which lies in the trash then, and has every step done with it;
 * the film says why. False, and nothing changes, where the file that it has was done before, or took nobody's place.
 */
async function putBackFootage({ pool, store, queue }: Archive, { videoId, contentHash: ofRefused, message }: Refusal): Promise<boolean> {
  const { original } = toVideoKeys(videoId);
  const { rows } = await pool.query<{ fileName: string; nameBefore: string }>(sql`
    select v.file_name as "fileName",
           (select before from audit where video_id = v.id and action = 'film-replaced' order by id desc limit 1) as "nameBefore"
      from videos v
     where v.id = ${videoId} and v.state = 'Processed' and v.content_hash = ${ofRefused}
       and exists (select from ingest_steps i join steps s on s.name = i.step where i.video_id = v.id and not s.optional and i.result is null)`);
  const [film] = rows;
  if (!film) return false;
  const replaced = (await store.trash.list(videoId)).filter(
    ({ key, reason }) => key === original && reason.startsWith(replacedBy(film.fileName)),
  );
  const before = replaced.at(-1);
  if (!before) return false;
  const why = `“${film.fileName}” could not replace the file: ${message}`;
  await store.copyToTrash(original, why);
  await store.trash.putBack(before.name, { isOver: true });
  const there = await store.openRange(original);
  if (!there) return false;
  const contentHash = await sha256OfStored(there);
  await inTransaction(pool, async (db) => {
    const change = { before: film.fileName, detail: film.nameBefore, from: 'worker' };
    await recordFilmActivity(db, { action: 'film-replaced', actorUid: '', videoId, ...change });
    const { rowCount } = await db.query(sql`
      update videos
         set content_hash = ${contentHash}, file_name = ${film.nameBefore}, size_bytes = ${there.sizeBytes}, modified_at = now(),
             failure_message = ${`${why} The file before is back.`}
       where id = ${videoId} and content_hash = ${ofRefused}`);
    // Only somebody who took the claim when it was lost with its connection.
    if (rowCount !== 1) throw new Error(`film ${videoId} got another file while the one before was put back`);
    await beginAnew({ queue }, db, videoId);
  });
  return true;
}
