import { z } from 'zod';
import { isFootageName, readSidecarName, type SidecarName } from '#contract/footage-names.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { sha256OfFile, sha256OfStored } from '../files/sha256.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { originalOf, withVideoClaim } from '../jobs/worker-lease.ts';
import { recordFilmActivity } from '../users/audit.ts';
import type { FilmArchive } from '../videos/film-archive.ts';
import { fallbackLanguage } from '../videos/video.ts';
import { type AddedFootage, addFootage } from './add-footage.ts';
import { addSidecar, addSidecarsOfKnown } from './add-sidecar.ts';
import { titleOfFileName } from './footage-name.ts';
import { keepSidecars } from './kept-sidecars.ts';
import { replaceFootage, takeBackFootage } from './replace-footage.ts';
import { openUploadBytes } from './upload-bytes.ts';
import type { UploadHashes } from './upload-hashes.ts';
import { dropUpload, listFinishing, listUnfinished, requireUpload, type Upload } from './uploads.ts';

interface Archive extends FilmArchive {
  /** What stays free on the disk of this machine. */
  readonly reserveBytes?: number;
  readonly uploadHashes?: UploadHashes;
}

export interface Finishing {
  readonly id: string;
  readonly userId: string;
  /** Throws when they may no longer add it: to look through a large file takes minutes. */
  readonly requireStill?: (db: Db) => Promise<void>;
  /** Of the whole file, as the browser read it. */
  readonly sha256: string;
  /** Uploads of what lay beside it. */
  readonly sidecars: readonly string[];
  /** Network address that the call came from. */
  readonly from: string;
}

export interface FinishedUpload extends AddedFootage {
  /** What became of what came with a film that the archive had already, in sentences. */
  readonly remarks: readonly string[];
}

/**
 * Makes a film of an upload that has come as a whole: compared with what was read where it came from, safe on disk, then recorded with its
 * job. It may be called again after being cut off, and answers the same; undefined while another call is at it, in whichever process. Throws a Problem for one
 * that is not whole or differs, and for sidecars that do not belong to it.
 */
export async function finishUpload(archive: Archive, finishing: Finishing): Promise<FinishedUpload | undefined> {
  const { pool } = archive;
  const { id, userId, sidecars } = finishing;
  const { replaces } = await requireUpload(pool, { id, userId });
  return await withVideoClaim(pool, originalOf(replaces ?? id), async () => {
    const upload = await requireUpload(pool, { id, userId });
    if (upload.became === null) return await finishClaimed(archive, upload, finishing);
    const wasKnown = isFootageName(upload.fileName) && upload.became !== upload.videoId;
    const late = await findLateSidecars(archive, upload, sidecars);
    const remarks = await openUploadBytes(archive).withFiles(
      late.map((sidecar) => sidecar.upload),
      async (paths) => await (wasKnown ? layBeside(archive, upload.became ?? '', { found: withPaths(late, paths), finishing }) : []),
    );
    for (const sidecar of late) await dropUpload(archive, sidecar.upload.id);
    await endUploads(archive, id, []);
    return { videoId: upload.became, wasKnown, remarks };
  });
}

async function layBeside(
  archive: Archive,
  videoId: string,
  { found, finishing: { userId, from } }: Pick<Found, 'found' | 'finishing'>,
): Promise<string[]> {
  const sidecars = found.map(({ upload: { fileName }, as, path }) => ({ fileName, as, path }));
  return (await addSidecarsOfKnown(archive, { videoId, sidecars, by: { actorUid: userId, from } })).map(({ says }) => says);
}

async function finishClaimed(archive: Archive, upload: Upload, finishing: Finishing): Promise<FinishedUpload> {
  const { id, userId, sha256, sidecars, from } = finishing;
  const besides = await Promise.all(sidecars.map((sidecar) => requireSidecar(archive, { id: sidecar, userId, film: upload })));
  const isMoved = await requireWhole(archive, upload);
  const files = [upload, ...besides.map((sidecar) => sidecar.upload)];
  return await openUploadBytes(archive).withFiles(files, async ([path = '', ...paths]) => {
    await requireSame(archive, { upload, path, isMoved }, sha256);
    await finishing.requireStill?.(archive.pool);
    if (!isFootageName(upload.fileName)) {
      const videoId = await addSidecar(archive, { fileName: upload.fileName, path, by: { actorUid: userId, from } });
      await archive.pool.query(sql`update uploads set finished_at = now(), became = ${videoId} where id = ${id}`);
      await endUploads(archive, id, []);
      return { videoId, wasKnown: false, remarks: [] };
    }
    const found = withPaths(besides, paths);
    const added = await (upload.replaces === null ? becomeFilm : replaceFile)(archive, { upload, path, found, finishing });
    const remarks = added.wasKnown ? await layBeside(archive, added.videoId, { found, finishing }) : [];
    await endUploads(archive, id, besides);
    return { ...added, remarks };
  });
}

/** An upload whose file lies at `path`, with what lay beside it, as the call told of them. */
interface Found {
  readonly upload: Upload;
  readonly path: string;
  readonly found: readonly SidecarFile[];
  readonly finishing: Finishing;
}

async function becomeFilm(archive: Archive, { upload, path, found, finishing: { userId, sha256, from } }: Found): Promise<AddedFootage> {
  const { id, videoId, fileName, sizeBytes } = upload;
  return await addFootage(archive, {
    video: { id: videoId, contentHash: sha256, fileName, sizeBytes, ...knownByName(fileName, found) },
    path,
    keepSidecars: (below) => keepSidecars(archive.store, below, { told: { fileName }, sidecars: found }),
    goesTo: async (film) => void (await archive.pool.query(sql`update uploads set video_id = ${film} where id = ${id}`)),
    note: async (db, became) => {
      // One that failed before is the upload's own from now on.
      const isOf = became.wasKnown ? videoId : became.videoId;
      const { rowCount } = await db.query(sql`
        update uploads set finished_at = now(), became = ${became.videoId}, video_id = ${isOf} where id = ${id}`);
      if (rowCount !== 1) throw new Problem('not_found', `${fileName} has been cancelled. Send it again.`);
      if (became.wasKnown) return;
      await recordFilmActivity(db, { action: 'film-added', actorUid: userId, videoId: became.videoId, before: '', detail: fileName, from });
    },
  });
}

/** What was written down of a call that is cut off is ended by the same call, or by the next start. */
async function replaceFile(archive: Archive, { upload, path, found, finishing }: Found): Promise<AddedFootage> {
  const { id, videoId, fileName } = upload;
  const { userId, sha256, sidecars, from } = finishing;
  await archive.pool.query(sql`update uploads set finishing = ${JSON.stringify({ sha256, sidecars, from })} where id = ${id}`);
  return await replaceFootage(archive, {
    upload,
    path,
    contentHash: sha256,
    actorUid: userId,
    from,
    keepSidecars: async () => {
      if (found.length > 0)
        await keepSidecars(archive.store, toVideoKeys(videoId).sidecars, { told: { fileName }, sidecars: found, isOtherFile: true });
    },
  }).catch(async (error: unknown) => {
    if (isFinal(error)) await giveUp(archive, upload, sha256);
    throw error;
  });
}

/** What came of them lies with the film. */
async function endUploads(archive: Archive, film: string, sidecars: readonly Sidecar[]): Promise<void> {
  for (const { upload } of sidecars) await dropUpload(archive, upload.id);
  await openUploadBytes(archive).remove(film);
  await archive.pool.query(sql`update uploads set finishing = null where id = ${film} and finishing is not null`);
}

/** Whether it would be refused at the next try as well. A full disk, a database or a store that is away, and another call that is at it pass. */
function isFinal(error: unknown): boolean {
  return error instanceof Problem && error.code !== 'storage_full' && error.code !== 'unavailable';
}

/** Ends what can never be ended as it was meant: the film has the file that its row tells of, and the upload can be cancelled, or is gone with its bytes. */
async function giveUp(archive: Omit<Archive, 'queue'>, upload: Upload, sha256: string): Promise<void> {
  if (await takeBackFootage(archive.store, upload, sha256)) await dropUpload(archive, upload.id);
  else await archive.pool.query(sql`update uploads set finishing = null where id = ${upload.id}`);
}

/** Opens the queue of jobs for a piece of work. */
type WithJobs = <T>(work: (queue: JobQueue) => Promise<T>) => Promise<T>;

const Finished = z.object({ sha256: z.string(), sidecars: z.array(z.string()), from: z.string() });

/**
 * Ends the calls that were cut off while they put a file in the place of a film's. What cannot be ended, because the film is gone, another has the same
 * file or the bytes lie on another machine, is taken back, or left to whoever sent them. Returns how many it ended.
 */
export async function finishCutOff(archive: Omit<Archive, 'queue'>, withJobs: WithJobs): Promise<number> {
  const { pool } = archive;
  let ended = 0;
  for (const { id, userId, replaces, finishing } of await listFinishing(pool)) {
    const told = Finished.parse(finishing);
    try {
      if (await withJobs((queue) => finishUpload({ ...archive, queue }, { id, userId, ...told }))) ended += 1;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!isFinal(error)) continue;
      // Where somebody holds it, it is not cut off.
      await withVideoClaim(pool, originalOf(replaces ?? id), async () => {
        const upload = (await listFinishing(pool)).find((one) => one.id === id);
        if (upload?.became === null) await giveUp(archive, upload, told.sha256);
      });
    }
  }
  return ended;
}

/** What can be said of a film before anything is read: the step `facts` reads the rest. */
function knownByName(fileName: string, sidecars: readonly Sidecar[]) {
  const language = sidecars.find(({ as }) => as.language !== null)?.as.language ?? fallbackLanguage;
  const unknown = { externalId: null, description: null, owner: null, recordedAt: null, place: null, rights: null };
  return { ...unknown, name: titleOfFileName(fileName), language, people: [], labels: [], brands: [] };
}

interface Sidecar {
  readonly upload: Upload;
  readonly as: SidecarName;
}

interface SidecarFile extends Sidecar {
  readonly path: string;
}

async function requireSidecar(archive: Archive, { id, userId, film }: { id: string; userId: string; film: Upload }): Promise<Sidecar> {
  const upload = await requireUpload(archive.pool, { id, userId });
  const as = readSidecarName(upload.fileName, film.fileName);
  if (!as) throw new Problem('invalid_parameter', `${upload.fileName} does not match the file name ${film.fileName}.`);
  await requireWhole(archive, upload);
  return { upload, as };
}

function withPaths(sidecars: readonly Sidecar[], paths: readonly string[]): SidecarFile[] {
  return sidecars.map((sidecar, n) => ({ ...sidecar, path: paths[n] ?? '' }));
}

/** What came, whole, with a film that was finished before: once more, or that call was cut off. Nothing else would end these. */
async function findLateSidecars(archive: Archive, { userId, fileName }: Upload, ids: readonly string[]): Promise<Sidecar[]> {
  const late: Sidecar[] = [];
  for (const upload of await listUnfinished(archive.pool, userId)) {
    const as = ids.includes(upload.id) && readSidecarName(upload.fileName, fileName);
    if (as && (await openUploadBytes(archive).received(upload.id)) === upload.sizeBytes) late.push({ upload, as });
  }
  return late;
}

/** Throws a Problem for one of which not all has come. Returns whether it lies in its film's place already, where a call that was cut off moved it. */
async function requireWhole(archive: Archive, upload: Upload): Promise<boolean> {
  const { videoId, fileName, sizeBytes } = upload;
  const received = await openUploadBytes(archive).received(upload.id);
  const moved = received === null ? await archive.store.stat(toVideoKeys(videoId).original) : null;
  const hereBytes = moved?.sizeBytes ?? received ?? 0;
  if (hereBytes !== sizeBytes)
    throw new Problem('conflict', `Only ${hereBytes} of ${sizeBytes} bytes of ${fileName} have arrived. Send the rest first.`);
  return moved !== null;
}

/** What differs is gone: no byte of it can be trusted, so it has to be sent anew. */
async function requireSame(
  archive: Archive,
  { upload, path, isMoved }: { upload: Upload; path: string; isMoved: boolean },
  sha256: string,
): Promise<void> {
  const keys = toVideoKeys(upload.videoId);
  const moved = isMoved ? await archive.store.openRange(keys.original) : null;
  const hashed = moved ? await sha256OfStored(moved) : ((await archive.uploadHashes?.ofWhole(upload)) ?? (await sha256OfFile(path)));
  if (hashed === sha256) return;
  // The film's own.
  if (isMoved && upload.replaces !== null) throw new Problem('conflict', `${upload.fileName} is incomplete. Send it again.`);
  await dropUpload(archive, upload.id);
  if (isMoved) await archive.store.remove(keys.all, 'The uploaded file does not match the original.');
  throw new Problem('conflict', `${upload.fileName} was damaged on its way. Send it again.`);
}
