import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isFootageName, readSidecarName, type SidecarName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
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
import { uploadBytes, uploadPath } from './upload-bytes.ts';
import { dropUpload, listFinishing, listUnfinished, requireUpload, type Upload } from './uploads.ts';

interface Archive {
  readonly pool: Pool;
  readonly folder: ArchiveFolder;
  readonly store: FileStore;
  readonly queue: JobQueue;
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
 * job. It may be called again after being cut off, and answers the same. Throws a Problem for one that is not whole or differs, and for
 * sidecars that do not belong to it.
 */
export async function finishUpload(archive: Archive, { id, userId, sha256, sidecars, from }: Finishing): Promise<AddedFootage> {
  const { pool, folder } = archive;
  const upload = await requireUpload(pool, { id, userId });
  if (upload.became !== null) {
    await dropSidecars(archive, upload, sidecars);
    await pool.query(sql`update uploads set finishing = null where id = ${id} and finishing is not null`);
    return { videoId: upload.became, wasKnown: upload.became !== upload.videoId };
  }
  if (!isFootageName(upload.fileName)) return await addSidecar(archive, upload, sha256);
  const found = await Promise.all(sidecars.map((sidecar) => requireSidecar(archive, { id: sidecar, userId, film: upload })));
  await requireSame(archive, upload, sha256);
  if (upload.replaces !== null) return await finishReplacing(archive, { id, userId, sha256, sidecars, from }, found);
  const { videoId, fileName, sizeBytes } = upload;
  const added = await addFootage(archive, {
    video: { id: videoId, contentHash: sha256, fileName, sizeBytes, ...knownByName(fileName, found) },
    path: uploadPath(folder, id),
    keepSidecars: (below) => keepSidecars(archive, below, { fileName, sidecars: found }),
    note: async (db, became) => {
      const { rowCount } = await db.query(sql`update uploads set finished_at = now(), became = ${became.videoId} where id = ${id}`);
      if (rowCount !== 1) throw new Problem('not_found', `${fileName} was cancelled meanwhile. Send it again.`);
      if (became.wasKnown) return;
      await recordFilmActivity(db, { action: 'film-added', actorUid: userId, videoId: became.videoId, before: '', detail: fileName, from });
    },
  });
  await endUploads(archive, id, found);
  return added;
}

/** One at a time for each film: what was written down of a call that is cut off is ended by the same call, or by the next start. */
async function finishReplacing(archive: Archive, finishing: Finishing, found: readonly Sidecar[]): Promise<AddedFootage> {
  const { pool, folder } = archive;
  const { id, userId, sha256, sidecars, from } = finishing;
  const { fileName, videoId } = await requireUpload(pool, { id, userId });
  const replaced = await withVideoClaim(pool, claimOf(videoId), async () => {
    const upload = await requireUpload(pool, { id, userId });
    if (upload.became !== null) return { videoId: upload.became, wasKnown: false };
    await pool.query(sql`update uploads set finishing = ${JSON.stringify({ sha256, sidecars, from })} where id = ${id}`);
    return await replaceFootage(archive, {
      ...{ upload, path: uploadPath(folder, id), contentHash: sha256, actorUid: userId, from },
      keepSidecars: async () => {
        if (found.length > 0) await keepSidecars(archive, videoKeys(videoId).sidecars, { fileName, sidecars: found });
      },
    }).catch(async (error: unknown) => {
      if (error instanceof Problem) await giveUp(archive, upload, sha256);
      throw error;
    });
  });
  if (!replaced) throw new Problem('conflict', 'Another file is taking the place of this film’s at this moment. Try again in a minute.');
  await endUploads(archive, id, found);
  await pool.query(sql`update uploads set finishing = null where id = ${id}`);
  return replaced;
}

/** What came of them lies with the film. */
async function endUploads(archive: Archive, film: string, sidecars: readonly Sidecar[]): Promise<void> {
  for (const { upload } of sidecars) await dropUpload(archive, upload.id);
  await uploadBytes(archive).remove(film);
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
      await queued((queue) => finishUpload({ ...archive, queue }, { id, userId, ...told }));
      ended += 1;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
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
async function addSidecar(archive: Archive, upload: Upload, sha256: string): Promise<AddedFootage> {
  const { pool, store, queue } = archive;
  await requireSame(archive, upload, sha256);
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
  await store.put(before ?? `${below}/${sidecarKinds[as.holds]}-${ofKind.length}${language}.txt`, {
    copyOf: await uploadBytes(archive).asFile(upload),
  });
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

async function requireSidecar(archive: Archive, { id, userId, film }: { id: string; userId: string; film: Upload }): Promise<Sidecar> {
  const upload = await requireUpload(archive.pool, { id, userId });
  const as = readSidecarName(upload.fileName, film.fileName);
  if (!as) throw new Problem('invalid_parameter', `${upload.fileName} does not belong to ${film.fileName} by its name.`);
  requireWhole(upload, await uploadBytes(archive).received(id));
  return { upload, as };
}

/** What came once more with a film that was finished before; it has its sidecars, and nothing else would end these. */
async function dropSidecars(archive: Archive, { userId, fileName }: Upload, ids: readonly string[]): Promise<void> {
  for (const one of await listUnfinished(archive.pool, userId))
    if (ids.includes(one.id) && readSidecarName(one.fileName, fileName)) await dropUpload(archive, one.id);
}

function requireWhole({ fileName, sizeBytes }: Upload, receivedBytes: number | null): void {
  if (receivedBytes !== sizeBytes)
    throw new Problem('conflict', `Of ${fileName} ${receivedBytes ?? 0} of ${sizeBytes} bytes have come. Send the rest first.`);
}

/** What differs is gone: no byte of it can be trusted, so it has to be sent anew. */
async function requireSame(archive: Archive, upload: Upload, sha256: string): Promise<void> {
  const bytes = uploadBytes(archive);
  const received = await bytes.received(upload.id);
  // Moved already, by a call that was cut off.
  const moved = received === null ? await archive.store.openRange(videoKeys(upload.videoId).original) : null;
  requireWhole(upload, moved?.sizeBytes ?? received);
  const hashed = await (moved ? sha256OfStored(moved) : sha256OfFile(await bytes.asFile(upload)));
  if (hashed === sha256) return;
  // The film's own, or of another machine.
  if (moved && upload.replaces !== null) throw new Problem('conflict', `${upload.fileName} is not here as a whole. Send it again.`);
  await dropUpload(archive, upload.id);
  if (moved) await archive.store.remove(videoKeys(upload.videoId).all, 'What came was not what was sent.');
  throw new Problem('conflict', `${upload.fileName} came otherwise than it was read. Send it again.`);
}

/** What each is kept under. */
const sidecarKinds = { subtitles: 'subtitles', chapters: 'chapters', transcript: 'transcript', 'facts or transcript': 'unread' } as const;

/** Puts what lay beside a film below a key, unread: the worker looks into it. */
async function keepSidecars(
  archive: Archive,
  below: string,
  { fileName, sidecars }: { fileName: string; sidecars: readonly Sidecar[] },
): Promise<void> {
  const { store } = archive;
  await store.put(`${below}/facts.json`, Buffer.from(JSON.stringify({ fileName })));
  for (const [n, { upload, as }] of sidecars.entries()) {
    const language = as.language ? `.${as.language}` : '';
    await store.put(`${below}/${sidecarKinds[as.holds]}-${n}${language}.txt`, {
      copyOf: await uploadBytes(archive).asFile(upload),
    });
  }
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

/** SHA-256 of the first and last piece of an original; where it is shorter than both, of what there is twice. */
async function endsOf(store: FileStore, videoId: string): Promise<string | undefined> {
  const { original } = videoKeys(videoId);
  const found = await store.stat(original);
  if (!found) return undefined;
  const { sizeBytes } = found;
  const piece = limits.endPieceBytes;
  const hash = createHash('sha256');
  for (const range of [
    { start: 0, end: Math.min(piece, sizeBytes) },
    { start: Math.max(0, sizeBytes - piece), end: sizeBytes },
  ])
    hash.update((await (await store.openRange(original, range))?.bytes()) ?? '');
  return hash.digest('hex');
}
