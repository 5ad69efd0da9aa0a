import { z } from 'zod';
import { isFootageName, readSidecarName, type SidecarName } from '#contract/footage-names.ts';
import { Problem } from '#contract/problem.ts';
import type { Db, Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import { sha256OfFile, sha256OfStored } from '../files/sha256.ts';
import type { FileStore } from '../files/store.ts';
import { videoKeys } from '../files/video-keys.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { withVideoClaim } from '../jobs/worker-lease.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { listStepsOf, runStepAgain } from '../videos/steps.ts';
import { type AddedFootage, addFootage, replaceFootage, takeBackFootage } from './add-footage.ts';
import { titleOfFileName } from './footage-name.ts';
import { uploadBytes } from './upload-bytes.ts';
import type { UploadHashes } from './upload-hashes.ts';
import { dropUpload, listFinishing, listUnfinished, requireUpload, type Upload } from './uploads.ts';

interface Archive {
  readonly pool: Pool;
  readonly folder: ArchiveFolder;
  readonly store: FileStore;
  readonly queue: JobQueue;
  /** What stays free on the disk of this machine. */
  readonly reserveBytes?: number;
  readonly uploadHashes?: UploadHashes;
}

export interface Finishing {
  readonly id: string;
  readonly userId: string;
  /** Of the whole file, as the browser read it. */
  readonly sha256: string;
  /** Uploads of what lay beside it. */
  readonly sidecars: readonly string[];
  /** Network address that the call came from. */
  readonly from: string;
}

/**
 * Makes a film of an upload that has come as a whole: compared with what was read where it came from, safe on disk, then recorded with its
 * job. It may be called again after being cut off, and answers the same; undefined while another call is at it, in whichever process. Throws a Problem for one
 * that is not whole or differs, and for sidecars that do not belong to it.
 */
export async function finishUpload(archive: Archive, finishing: Finishing): Promise<AddedFootage | undefined> {
  const { pool } = archive;
  const { id, userId, sidecars } = finishing;
  const { videoId } = await requireUpload(pool, { id, userId });
  return await withVideoClaim(pool, claimOf(videoId), async () => {
    const upload = await requireUpload(pool, { id, userId });
    if (upload.became === null) return await finishClaimed(archive, upload, finishing);
    await dropSidecars(archive, upload, sidecars);
    await endUploads(archive, id, []);
    return { videoId: upload.became, wasKnown: upload.became !== upload.videoId };
  });
}

async function finishClaimed(archive: Archive, upload: Upload, finishing: Finishing): Promise<AddedFootage> {
  const { id, userId, sha256, sidecars } = finishing;
  const besides = await Promise.all(sidecars.map((sidecar) => requireSidecar(archive, { id: sidecar, userId, film: upload })));
  const isMoved = await requireWhole(archive, upload);
  const files = [upload, ...besides.map((sidecar) => sidecar.upload)];
  return await uploadBytes(archive).withFiles(files, async ([path = '', ...paths]) => {
    await requireSame(archive, { upload, path, isMoved }, sha256);
    if (!isFootageName(upload.fileName)) return await addSidecar(archive, upload, path);
    const found = besides.map((sidecar, n) => ({ ...sidecar, path: paths[n] ?? '' }));
    const added = await (upload.replaces === null ? becomeFilm : replaceFile)(archive, { upload, path, found, finishing });
    await endUploads(archive, id, besides);
    return added;
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
    keepSidecars: (below) => keepSidecars(archive, below, { fileName, sidecars: found }),
    goesTo: async (film) => void (await archive.pool.query(sql`update uploads set video_id = ${film} where id = ${id}`)),
    note: async (db, became) => {
      // One that failed before is the upload's own from now on.
      const isOf = became.wasKnown ? videoId : became.videoId;
      const { rowCount } = await db.query(sql`
        update uploads set finished_at = now(), became = ${became.videoId}, video_id = ${isOf} where id = ${id}`);
      if (rowCount !== 1) throw new Problem('not_found', `${fileName} was cancelled meanwhile. Send it again.`);
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
    ...{ upload, path, contentHash: sha256, actorUid: userId, from },
    keepSidecars: async () => {
      if (found.length > 0) await keepSidecars(archive, videoKeys(videoId).sidecars, { fileName, sidecars: found });
    },
  }).catch(async (error: unknown) => {
    if (isFinal(error)) await giveUp(archive, upload, sha256);
    throw error;
  });
}

/** What came of them lies with the film. */
async function endUploads(archive: Archive, film: string, sidecars: readonly Sidecar[]): Promise<void> {
  for (const { upload } of sidecars) await dropUpload(archive, upload.id);
  await uploadBytes(archive).remove(film);
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

/** The film's file, not the film, which a worker may hold for hours. */
function claimOf(videoId: string): string {
  return `${videoId} original`;
}

/** Opens the queue of jobs for a piece of work. */
type WithQueue = <T>(work: (queue: JobQueue) => Promise<T>) => Promise<T>;

const Finished = z.object({ sha256: z.string(), sidecars: z.array(z.string()), from: z.string() });

/**
 * Ends the calls that were cut off while they put a file in the place of a film's. What cannot be ended, because the film is gone, another has the same
 * file or the bytes lie on another machine, is taken back, or left to whoever sent them. Returns how many it ended.
 */
export async function finishCutOff(archive: Omit<Archive, 'queue'>, queued: WithQueue): Promise<number> {
  const { pool } = archive;
  let ended = 0;
  for (const { id, userId, videoId, finishing } of await listFinishing(pool)) {
    const told = Finished.parse(finishing);
    try {
      if (await queued((queue) => finishUpload({ ...archive, queue }, { id, userId, ...told }))) ended += 1;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!isFinal(error)) continue;
      // Where somebody holds it, it is not cut off.
      await withVideoClaim(pool, claimOf(videoId), async () => {
        const upload = (await listFinishing(pool)).find((one) => one.id === id);
        if (upload?.became === null) await giveUp(archive, upload, told.sha256);
      });
    }
  }
  return ended;
}

/**
 * Lays a sidecar that came alone beside the film whose file it is named after, in the place of one of its kind and language, and has what came with that film
 * read again. Throws a Problem where no film, or more than one, came as such a file, and while a worker reads it.
 */
async function addSidecar(archive: Archive, upload: Upload, path: string): Promise<AddedFootage> {
  const { pool, store, queue } = archive;
  const [film, another] = await filmsOf(pool, upload.fileName);
  if (!film) throw new Problem('not_found', `No film of the archive came as a file that ${upload.fileName} could lie beside.`);
  if (another)
    throw new Problem('conflict', `Several films came as “${film.fileName}”. Bring ${upload.fileName} in on the page of one of them.`);
  const as = readSidecarName(upload.fileName, film.fileName);
  const running = (await listStepsOf(pool, [film.id]))
    .get(film.id)
    ?.find(({ name, state }) => state === 'running' && readers.includes(name));
  if (!as || running) throw new Problem('conflict', 'A worker is reading what came with this film. Try again in a minute.');
  const below = videoKeys(film.id).sidecars;
  const language = as.language ? `.${as.language}` : '';
  const keys = (await Array.fromAsync(store.list(below))).map(({ key }) => key);
  const ofKind = keys.filter((key) => key.startsWith(`${below}/${sidecarKinds[as.holds]}-`));
  const before = ofKind.find((key) => key.replace(/^.*-\d+/, '') === `${language}.txt`);
  await store.put(before ?? `${below}/${sidecarKinds[as.holds]}-${ofKind.length}${language}.txt`, { copyOf: path });
  for (const step of readers) if (film.isPublished) await runStepAgain({ pool, queue }, { videoId: film.id, step });
  await pool.query(sql`update uploads set finished_at = now(), became = ${film.id} where id = ${upload.id}`);
  await uploadBytes(archive).remove(upload.id);
  return { videoId: film.id, wasKnown: false };
}

/** The steps that read what lay beside a film. */
const readers = ['facts', 'captions'];

/** The one film whose file this one would lie beside by its name; null where there is none, or several. */
export async function findFilmBeside(db: Db, sidecar: string): Promise<{ id: string; name: string } | null> {
  const [film, another] = await filmsOf(db, sidecar);
  return film && !another ? { id: film.id, name: film.name } : null;
}

interface FilmBeside {
  readonly id: string;
  readonly name: string;
  readonly fileName: string;
  readonly isPublished: boolean;
}

async function filmsOf(db: Db, sidecar: string): Promise<FilmBeside[]> {
  const { rows } = await db.query<FilmBeside>(sql`
    select id, name, file_name as "fileName", state = 'Processed' as "isPublished" from videos
     where origin = 'file' and state <> 'Quarantined' and starts_with(${sidecar}, regexp_replace(file_name, '\.[^.]*$', '')) and file_name <> ''
     order by created_at limit 100`);
  return rows.filter(({ fileName }) => readSidecarName(sidecar, fileName));
}

/** What can be said of a film before anything is read: the step `facts` reads the rest. */
function knownByName(fileName: string, sidecars: readonly Sidecar[]) {
  const language = sidecars.find(({ as }) => as.language !== null)?.as.language ?? 'en';
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
  if (!as) throw new Problem('invalid_parameter', `${upload.fileName} does not belong to ${film.fileName} by its name.`);
  await requireWhole(archive, upload);
  return { upload, as };
}

/** What came once more with a film that was finished before; it has its sidecars, and nothing else would end these. */
async function dropSidecars(archive: Archive, { userId, fileName }: Upload, ids: readonly string[]): Promise<void> {
  for (const one of await listUnfinished(archive.pool, userId))
    if (ids.includes(one.id) && readSidecarName(one.fileName, fileName)) await dropUpload(archive, one.id);
}

/** Throws a Problem for one of which not all has come. Returns whether it lies in its film's place already, where a call that was cut off moved it. */
async function requireWhole(archive: Archive, upload: Upload): Promise<boolean> {
  const { videoId, fileName, sizeBytes } = upload;
  const received = await uploadBytes(archive).received(upload.id);
  const moved = received === null ? await archive.store.stat(videoKeys(videoId).original) : null;
  const hereBytes = moved?.sizeBytes ?? received ?? 0;
  if (hereBytes !== sizeBytes)
    throw new Problem('conflict', `Of ${fileName} ${hereBytes} of ${sizeBytes} bytes have come. Send the rest first.`);
  return moved !== null;
}

/** What differs is gone: no byte of it can be trusted, so it has to be sent anew. */
async function requireSame(
  archive: Archive,
  { upload, path, isMoved }: { upload: Upload; path: string; isMoved: boolean },
  sha256: string,
): Promise<void> {
  const keys = videoKeys(upload.videoId);
  const moved = isMoved ? await archive.store.openRange(keys.original) : null;
  const hashed = moved ? await sha256OfStored(moved) : ((await archive.uploadHashes?.ofWhole(upload)) ?? (await sha256OfFile(path)));
  if (hashed === sha256) return;
  // The film's own.
  if (isMoved && upload.replaces !== null) throw new Problem('conflict', `${upload.fileName} is not here as a whole. Send it again.`);
  await dropUpload(archive, upload.id);
  if (isMoved) await archive.store.remove(keys.all, 'What came was not what was sent.');
  throw new Problem('conflict', `${upload.fileName} came otherwise than it was read. Send it again.`);
}

/** What each is kept under. */
const sidecarKinds = { subtitles: 'subtitles', chapters: 'chapters', transcript: 'transcript', 'facts or transcript': 'unread' } as const;

/** Puts what lay beside a film below a key, unread: the worker looks into it. */
async function keepSidecars(
  { store }: Archive,
  below: string,
  { fileName, sidecars }: { fileName: string; sidecars: readonly SidecarFile[] },
): Promise<void> {
  await store.put(`${below}/facts.json`, Buffer.from(JSON.stringify({ fileName })));
  for (const [n, { path, as }] of sidecars.entries()) {
    const language = as.language ? `.${as.language}` : '';
    await store.put(`${below}/${sidecarKinds[as.holds]}-${n}${language}.txt`, { copyOf: path });
  }
}
