/*
 * A file on its way in: pieces from a browser (uploads, upload-bytes), its name, sidecars and facts, and the watched folder.
 * Here it becomes a film: record and job in one transaction.
 */
import { mkdir, rm, stat } from 'node:fs/promises';
import { isFootageName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction } from '../db/database.ts';
import { isDatabaseAway } from '../db/is-database-away.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import { listLocalMedia, writeHashed } from '../files/stage-file.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { ingestQueue } from '../jobs/ingest-queue.ts';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { addCallback } from '../videos/callbacks.ts';
import { cleanText } from '../videos/clean-text.ts';
import {
  createVideo,
  findByContentHash,
  findFailedByContentHash,
  isFreeVideoId,
  makeVideoId,
  type NewVideo,
} from '../videos/create-video.ts';
import { refuseDeletedContent } from '../videos/deletions.ts';
import { removeForGood } from '../videos/erase-film.ts';
import type { FilmArchive } from '../videos/film-archive.ts';
import { takeUpFootage } from '../videos/footage.ts';
import { fallbackLanguage } from '../videos/video.ts';
import { titleOfFileName, toKeptFileName } from './footage-name.ts';
import { keepTold } from './kept-sidecars.ts';
import { type OriginalsQuota, requireQuota } from './originals-quota.ts';
import { uploadPathIn } from './upload-bytes.ts';
import { makeUploadId } from './uploads.ts';

/** A file that is whole, hashed, and about to become a film. */
export interface FootageToAdd {
  readonly video: NewVideo;
  /** A file of this machine, which is moved into the archive. It may lie there already, where an earlier call was cut off. */
  readonly path: string;
  /** Puts what came beside it below this key. */
  readonly keepSidecars: (below: string) => Promise<void>;
  /** Writes what else belongs to it, in the transaction of its record, or for footage that the archive had, in one of its own. */
  readonly note?: (db: Db, added: AddedFootage) => Promise<void>;
  /** Writes down, before the file moves, that it goes into the place of a film that failed: whoever is cut off then finds it there. */
  readonly goesTo?: (videoId: string) => Promise<void>;
}

export interface AddedFootage {
  readonly videoId: string;
  /** Whether the archive had the same content before. */
  readonly wasKnown: boolean;
}

type Archive = Pick<FilmArchive, 'pool' | 'store' | 'queue'>;

/**
 * Takes a file in: safe in its place first, then its record and its job in one transaction. The same content is kept once, and taken up
 * again where it had failed, under its id and with all that was said of it. When this returns, a power cut takes nothing of it away. Throws a Problem
 * where the same was deleted, which tells how to bring it back, and `not_found` where the file was taken away meanwhile.
 */
export async function addFootage(archive: Archive, toAdd: FootageToAdd): Promise<AddedFootage> {
  const { pool, store, queue } = archive;
  const { video, path, keepSidecars, note = async () => {} } = toAdd;
  const leave = async (added: AddedFootage) => {
    await inTransaction(pool, (db) => note(db, added));
    await rm(path, { force: true });
    return added;
  };
  await refuseDeletedContent(pool, video.contentHash);
  const known = await findByContentHash(pool, video.contentHash);
  if (known) return await leave({ videoId: known, wasKnown: true });
  const failed = await findFailedByContentHash(pool, video.contentHash);
  if (failed) return await takeUpAgain(archive, failed, toAdd);
  const keys = toVideoKeys(video.id);
  const asNew = { videoId: video.id, wasKnown: false };
  if (await stat(path).catch(ignoreAbsent)) await store.put(keys.original, { path });
  else if (!(await store.stat(keys.original))) throw new Problem('not_found', `${video.fileName} is gone. Send it again.`);
  await keepSidecars(keys.sidecars);
  const created = await inTransaction(pool, async (db) => {
    const isNew = await createVideo(db, video);
    if (!isNew) return false;
    await queue.enqueue(ingestQueue, { videoId: video.id }, { db });
    await note(db, asNew);
    return true;
  });
  if (created) return asNew;
  // Somebody else brought the same content in between the look and the record; or the very same file was finished at two machines.
  const kept = await findByContentHash(pool, video.contentHash);
  // That one failed in this very moment; the next try takes it up.
  if (kept === undefined)
    throw new Problem('unavailable', `${video.fileName} was added twice at the same moment. Try again.`, { retryAfterSeconds: 2 });
  if (kept === video.id) return asNew;
  await removeForGood(store, video.id);
  return await leave({ videoId: kept, wasKnown: true });
}

async function takeUpAgain(archive: Archive, failed: string, toAdd: FootageToAdd): Promise<AddedFootage> {
  const { pool, store } = archive;
  const { video, path, keepSidecars, note = async () => {}, goesTo = async () => {} } = toAdd;
  const [keys, own, added] = [toVideoKeys(failed), toVideoKeys(video.id), { videoId: failed, wasKnown: false }];
  let isCopied = false;
  const bring = async () => {
    if (await stat(path).catch(ignoreAbsent)) {
      await goesTo(failed);
      await store.put(keys.original, { path });
    } else if (video.id !== failed && (await store.stat(own.original))) {
      await store.withLocalCopy(own.original, (copyOf) => store.put(keys.original, { copyOf }));
      isCopied = true;
    } else throw new Problem('not_found', `${video.fileName} is gone. Send it again.`);
  };
  try {
    await takeUpFootage(archive, failed, { bring, keepSidecars, note: (db) => note(db, added) });
  } catch (error) {
    if ((await findFailedByContentHash(pool, video.contentHash)) === failed) throw error;
    // Somebody else had it tried again in this very moment.
    return await addFootage(archive, toAdd);
  }
  if (isCopied) await removeForGood(store, video.id);
  await rm(path, { force: true });
  return added;
}

/**
 * Ends an `addFootage` that threw `error`, for a sender who has the file still and comes again under another id: of the film that did not come to be no file
 * stays, as far as the store can be reached. Throws `error`.
 */
export async function leaveNothing({ pool, store }: Archive, videoId: string, error: unknown): Promise<never> {
  // Where the database went away nobody knows whether the film came to be.
  if (!isDatabaseAway(error) && (await isFreeVideoId(pool, videoId).catch(() => false)))
    await store.erase(toVideoKeys(videoId).all).catch(() => {});
  throw error;
}

/** A film that comes as a whole, in one request. */
export interface FileInOne {
  /** As the sender says it. */
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What is said of it; empty where nothing is. */
  readonly says: { readonly title: string; readonly description: string; readonly externalId: string; readonly language: string };
  readonly userId: string;
  /** Throws when they may no longer add it: a file may come for a day. */
  readonly requireStill: (db: Db) => Promise<void>;
  readonly from: string;
  readonly refusesKnown: boolean;
  /** Told once the film plays, or has failed. */
  readonly callback?: string | undefined;
}

interface Bounds {
  readonly fileMaxBytes: number;
  /** What stays free on the disk. */
  readonly reserveBytes: number;
  readonly quota: OriginalsQuota;
}

/**
 * Writes a film down as it comes and takes it into the archive once all of it is there, safe on disk before this returns. Throws a Problem
 * for what is no footage by its name, is empty, too large, or known where that is refused; nothing of it is left then.
 */
export async function takeFileInOne(
  archive: Archive & { readonly folder: ArchiveFolder },
  file: FileInOne,
  bounds: Bounds,
): Promise<AddedFootage> {
  const fileName = toKeptFileName(file.fileName);
  if (!isFootageName(fileName))
    throw new Problem('unsupported_media_type', 'Files with this extension are not supported as video or audio.');
  const { folder, pool, store } = archive;
  const requireRoom = (sizeBytes: number) => requireQuota(pool, bounds.quota, { sizeBytes, userId: file.userId });
  await mkdir(folder.uploads, { recursive: true });
  const path = uploadPathIn(folder, makeUploadId());
  try {
    const folders = [folder.uploads, ...listLocalMedia(archive)];
    const { contentHash, sizeBytes } = await writeHashed(path, file.bytes, { ...bounds, folders, requireRoom });
    if (sizeBytes === 0) throw new Problem('file_empty', 'The file is empty.');
    if (file.refusesKnown && (await findByContentHash(pool, contentHash)))
      throw new Problem('already_exists', 'This video is already in the archive.');
    // Before it has a place in the archive; its record asks once more.
    await file.requireStill(pool);
    const { title, description, externalId, language } = readSays(file.says);
    const unknown = { owner: null, recordedAt: null, place: null, rights: null, people: [], labels: [], brands: [] };
    const known = { name: title ?? titleOfFileName(fileName), description: description ?? null, externalId: externalId ?? null };
    const id = makeVideoId();
    return await addFootage(archive, {
      path,
      video: { id, contentHash, fileName, sizeBytes, ...known, language: language ?? fallbackLanguage, ...unknown },
      keepSidecars: (below) => keepTold(store, below, { fileName, title, description, externalId, language }),
      note: async (db, became) => {
        await file.requireStill(db);
        if (file.callback) await addCallback(db, { videoId: became.videoId, address: file.callback, awaits: 'playable' });
        if (became.wasKnown) return;
        const added = { action: 'film-added', videoId: became.videoId, before: '', detail: fileName } as const;
        await recordFilmActivity(db, { ...added, actorUid: file.userId, from: file.from });
      },
    }).catch((error: unknown) => leaveNothing(archive, id, error));
  } finally {
    await rm(path, { force: true });
  }
}

/** What was said, cleaned and cut as everywhere; what is not said, or is no language, is left out. */
function readSays({ title, description, externalId, language }: FileInOne['says']) {
  const most = limits.factMaxCodePoints;
  return {
    title: cleanText(title, most.title) || undefined,
    description: cleanText(description, most.description) || undefined,
    externalId: cleanText(externalId, most.externalId) || undefined,
    language: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,8}$/.test(language) ? language : undefined,
  };
}
