import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { isFootageName, isSidecarName } from '#contract/footage-names.ts';
import { limits, serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import { ensureSpace, listLocalMedia } from '../files/stage-file.ts';
import type { ByteRange, FileStore } from '../files/store.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { makeVideoId } from '../videos/create-video.ts';
import { toKeptFileName } from './footage-name.ts';
import { formatGigabytes, type OriginalsQuota, requireQuota } from './originals-quota.ts';
import { goneForWriting, openUploadBytes, type UploadBytes, type UploadStretch } from './upload-bytes.ts';
import type { UploadHashes } from './upload-hashes.ts';

/** A file that somebody is sending from a browser. */
export interface Upload {
  readonly id: string;
  readonly userId: string;
  readonly videoId: string;
  /** The film whose file it takes the place of; null where it becomes one of its own. */
  readonly replaces: string | null;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** SHA-256 of its beginning and end. */
  readonly ends: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** The film that it became. */
  readonly became: string | null;
}

interface Uploading {
  readonly pool: Pool;
  readonly folder: ArchiveFolder;
  readonly store: FileStore;
  readonly uploadHashes?: UploadHashes;
}

/** How large a file may be, how much of somebody's may be half-way at once, what stays free on the disk, and what all originals may come to. */
export interface UploadLimits {
  readonly fileMaxBytes: number;
  readonly unfinishedMaxBytes: number;
  readonly reserveBytes: number;
  readonly quota: OriginalsQuota;
}

interface FileToSend {
  readonly id: string;
  readonly userId: string;
  /** As the browser says it. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly ends: string;
  /** The film whose file it takes the place of, as the browser says it. */
  readonly replaces?: string | undefined;
}

/** A name for an upload that nobody guesses. */
export function makeUploadId(): string {
  return randomBytes(16).toString('hex');
}

/** Begins an upload. Throws a Problem for a file that is not taken, and where there is no room for it. */
export async function beginUpload(uploading: Uploading, file: FileToSend, bounds: UploadLimits): Promise<void> {
  const { pool, folder } = uploading;
  const bytes = openUploadBytes(uploading);
  checkFile(file, bounds);
  const replaces = file.replaces === undefined ? null : await requireReplaceable(pool, file.replaces);
  const fileName = toKeptFileName(file.name);
  await mkdir(folder.uploads, { recursive: true });
  await inTransaction(pool, async (db) => {
    // One after the other: two that begin at once would both find the same room.
    await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.beginningUploads})`);
    const unfinished = await unfinishedOf(db, file.userId);
    if (unfinished.count >= limits.unfinishedUploadsPerUser)
      throw new Problem('conflict', `You have ${unfinished.count} unfinished uploads. Finish or cancel some of them first.`);
    if (unfinished.ownBytes + file.sizeBytes > bounds.unfinishedMaxBytes)
      throw new Problem(
        'file_too_large',
        `You may have ${formatGigabytes(bounds.unfinishedMaxBytes)} of unfinished uploads at once. Finish some of them first.`,
      );
    if (isFootageName(file.name)) await requireQuota(db, bounds.quota, await weighFile(db, file, replaces));
    const others = bytes.areOnDisk ? unfinished.allBytes - (await receivedInAll(db, bytes)) : 0;
    await ensureSpace([folder.uploads, ...listLocalMedia(uploading)], others + file.sizeBytes, bounds.reserveBytes);
    await db.query(sql`
      insert into uploads (id, user_id, video_id, replaces, file_name, size_bytes, ends)
      values (${file.id}, ${file.userId}, ${replaces ?? makeVideoId()}, ${replaces}, ${fileName}, ${file.sizeBytes}, ${file.ends})`);
    await bytes.begin(file.id);
  });
}

/** How much more the archive holds by a file, and whose it becomes: one in the place of another stays with whoever added that. */
async function weighFile(
  db: Db,
  { sizeBytes, userId }: FileToSend,
  replaces: string | null,
): Promise<{ sizeBytes: number; userId?: string }> {
  if (replaces === null) return { sizeBytes, userId };
  const { rows } = await db.query<{ sizeBytes: number }>(sql`select size_bytes::float8 as "sizeBytes" from videos where id = ${replaces}`);
  return { sizeBytes: sizeBytes - (rows[0]?.sizeBytes ?? 0) };
}

/** A film that has a file, and is not deleted. Returns its id; throws a Problem for any other. */
export async function requireReplaceable(db: Db, videoId: string): Promise<string> {
  const { rows } = await db.query<{ origin: string }>(sql`select origin from videos where id = ${videoId} and state <> 'Quarantined'`);
  if (!rows[0]) throw new Problem('not_found', 'The video whose file you are replacing no longer exists.');
  if (rows[0].origin !== 'file') throw new Problem('invalid_parameter', 'This record has no file to replace.');
  return videoId;
}

function checkFile({ name, sizeBytes, ends }: FileToSend, { fileMaxBytes }: UploadLimits): void {
  const isFootage = isFootageName(name);
  if (!isFootage && !isSidecarName(name)) throw new Problem('unsupported_media_type', 'Files with this extension are not supported.');
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes <= 0)
    throw new Problem('invalid_parameter', 'The file is empty or its size is missing.');
  if (!/^[0-9a-f]{64}$/.test(ends)) throw new Problem('invalid_parameter', 'The SHA-256 of the file’s beginning and end is missing.');
  const maxBytes = isFootage ? fileMaxBytes : limits.sidecarMaxBytes;
  if (sizeBytes > maxBytes) throw new Problem('file_too_large', `A file of this kind may have at most ${formatGigabytes(maxBytes)}.`);
}

interface Unfinished {
  readonly count: number;
  /** Of the whole files. */
  readonly ownBytes: number;
  readonly allBytes: number;
}

/** How many of somebody's uploads have not ended, and what they and those of all come to. */
export async function unfinishedOf(db: Db, userId: string): Promise<Unfinished> {
  const { rows } = await db.query<Unfinished>(sql`
    select (count(*) filter (where user_id = ${userId}))::int as count,
           coalesce(sum(size_bytes) filter (where user_id = ${userId}), 0)::float8 as "ownBytes",
           coalesce(sum(size_bytes), 0)::float8 as "allBytes"
      from uploads where finished_at is null`);
  return rows[0] ?? { count: 0, ownBytes: 0, allBytes: 0 };
}

async function receivedInAll(db: Db, bytes: UploadBytes): Promise<number> {
  const { rows } = await db.query<{ id: string }>(sql`select id from uploads where finished_at is null`);
  const sizes = await Promise.all(rows.map(({ id }) => bytes.received(id)));
  return sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}

const columns = sql`id, user_id as "userId", video_id as "videoId", replaces, file_name as "fileName", size_bytes::float8 as "sizeBytes", ends,
                    created_at as "createdAt", finished_at as "finishedAt", became`;

/** An upload, of this person where one is named. Throws `not_found` for one of somebody else's as for one that is not there. */
export async function requireUpload(db: Db, { id, userId }: { id: string; userId?: string }): Promise<Upload> {
  const { rows } = await db.query<Upload>(sql`select ${columns} from uploads where id = ${id}`);
  const [upload] = rows;
  if (!upload || (userId !== undefined && upload.userId !== userId))
    throw new Problem('not_found', 'There is no such upload. It may have been cancelled; start it again.');
  return upload;
}

/** Somebody's uploads that have not ended, oldest first. */
export async function listUnfinished(db: Db, userId: string): Promise<Upload[]> {
  const { rows } = await db.query<Upload>(sql`
    select ${columns} from uploads where user_id = ${userId} and finished_at is null order by created_at, id`);
  return rows;
}

/** Uploads that take the place of a film's file at this moment, or were cut off at it; `finishing` is what the call said. */
export async function listFinishing(db: Db): Promise<(Upload & { readonly finishing: unknown })[]> {
  const { rows } = await db.query<Upload & { finishing: unknown }>(sql`
    select ${columns}, finishing from uploads where finishing is not null order by created_at`);
  return rows;
}

/** How much of an upload has come, also of one that lies with the films by now; null where its file is gone. */
export async function receivedOf(uploading: Pick<Uploading, 'folder' | 'store'>, upload: Upload): Promise<number | null> {
  if (upload.finishedAt) return upload.sizeBytes;
  // Finishing moves it before it records it, and may be cut off in between.
  const { original } = toVideoKeys(upload.videoId);
  return (await openUploadBytes(uploading).received(upload.id)) ?? (await uploading.store.stat(original))?.sizeBytes ?? null;
}

/** Writes what comes behind what is there, as `UploadBytes.append` says. */
export async function appendToUpload(uploading: Uploading, { id, ...stretch }: { id: string } & UploadStretch): Promise<number> {
  const bytes = openUploadBytes(uploading);
  const end = await bytes.append(id, stretch);
  const { rowCount } = await uploading.pool.query(sql`update uploads set touched_at = now() where id = ${id} and finished_at is null`);
  if (rowCount === 1) return end;
  // Cancelled or finished meanwhile, at another machine.
  await bytes.remove(id);
  throw goneForWriting();
}

/** The same for whoever sends it. Throws a Problem for one that is taking the place of a film's file by now. */
export async function cancelUpload(uploading: Uploading, id: string): Promise<void> {
  const { rowCount } = await uploading.pool.query(
    sql`delete from uploads where id = ${id} and (finishing is null or finished_at is not null)`,
  );
  if (rowCount === 0) throw new Problem('conflict', 'This file is already replacing the old one and can no longer be cancelled.');
  await openUploadBytes(uploading).remove(id);
}

/** Ends an upload that nobody wants any more: its bytes are gone. */
export async function dropUpload(uploading: Uploading, id: string): Promise<void> {
  await uploading.pool.query(sql`delete from uploads where id = ${id}`);
  await openUploadBytes(uploading).remove(id);
}

/**
 * Forgets uploads of which nothing has come for some days, with what there is of them, and files that belong to none. Nothing that was
 * acknowledged is among them: that lies with the films. Returns how many.
 */
export async function sweepUploads(uploading: Uploading, now = Date.now()): Promise<number> {
  const { pool } = uploading;
  const { rows } = await pool.query<{ id: string }>(sql`
    delete from uploads where touched_at < now() - make_interval(days => ${limits.uploadKeptDays}) and finishing is null returning id`);
  const { rows: known } = await pool.query<{ id: string }>(sql`select id from uploads where finished_at is null`);
  const kept = new Set(known.map(({ id }) => id));
  const swept = new Set(rows.map(({ id }) => id));
  const bytes = openUploadBytes(uploading);
  const gone = new Set<string>();
  for await (const { id, changedAtMs } of bytes.list()) {
    // Its row may be about to be written.
    if (!kept.has(id) && (swept.has(id) || changedAtMs < now - serverLimits.unknownFilesKeptHours * 60 * 60 * 1_000)) gone.add(id);
  }
  for (const id of gone) await bytes.remove(id);
  return gone.size;
}

interface SameFootage {
  readonly id: string;
  readonly name: string;
  readonly isDeleted: boolean;
}

/** A film whose original has this size, beginning and end: most likely the same. Undefined where there is none. */
export async function findSameFootage(
  { pool, store }: { pool: Db; store: FileStore },
  file: { readonly sizeBytes: number; readonly ends: string },
): Promise<SameFootage | undefined> {
  const { rows } = await pool.query<SameFootage>(sql`
    select id, name, state = 'Quarantined' as "isDeleted" from videos
     where size_bytes = ${file.sizeBytes} and origin = 'file' and state <> 'Failed' order by created_at limit 20`);
  for (const video of rows) if ((await endsOf(store, video.id)) === file.ends) return video;
  return undefined;
}

async function endsOf(store: FileStore, videoId: string): Promise<string | undefined> {
  const { original } = toVideoKeys(videoId);
  const found = await store.stat(original);
  if (!found) return undefined;
  return await hashEnds(found.sizeBytes, async (range) => (await (await store.openRange(original, range))?.bytes()) ?? '');
}

/** The ends of a file of this machine, as those of an original are told. */
export async function endsOfFile(path: string): Promise<string> {
  await using file = await open(path, 'r');
  return await hashEnds((await file.stat()).size, async ({ start, end }) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.subarray(0, bytesRead);
  });
}

/** SHA-256 of the first and last piece of a file; where it is shorter than both, of what there is twice. */
async function hashEnds(sizeBytes: number, read: (range: ByteRange) => Promise<Uint8Array | string>): Promise<string> {
  const piece = limits.endPieceBytes;
  const hash = createHash('sha256');
  hash.update(await read({ start: 0, end: Math.min(piece, sizeBytes) }));
  hash.update(await read({ start: Math.max(0, sizeBytes - piece), end: sizeBytes }));
  return hash.digest('hex');
}
