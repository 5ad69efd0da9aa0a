import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { inTransaction, type Pool } from '#domain/db/database.ts';
import type { ArchiveFolder } from '#domain/files/archive-folder.ts';
import { stageFile } from '#domain/files/stage-file.ts';
import type { FileStore } from '#domain/files/store.ts';
import { videoKeys } from '#domain/files/video-keys.ts';
import { ingestQueue } from '#domain/jobs/ingest-queue.ts';
import type { JobQueue } from '#domain/jobs/job-queue.ts';
import { createVideo, findByContentHash, findFailedByContentHash, type NewVideo, newVideoId } from '#domain/videos/create-video.ts';
import { retryFootage } from '#domain/videos/footage.ts';
import { type CameWithFilm, knownOfFilm } from '../known-of-film.ts';
import { refusal } from '../step-failure.ts';
import { isFootageName, keptFileName } from './footage-name.ts';
import { findSidecars, keepSidecars, type Sidecars } from './sidecars.ts';

export interface ImportContext {
  readonly pool: Pool;
  readonly folder: ArchiveFolder;
  readonly store: FileStore;
  readonly queue: JobQueue;
  readonly reserveBytes: number;
}

export interface ImportedFile {
  readonly videoId: string;
  /** Whether the archive had the same content before. */
  readonly wasKnown: boolean;
  readonly remarks: readonly string[];
}

/** Brings one file into the archive: a copy safe on disk, then its record and its job in one transaction. The source stays as it is. */
export async function importFile(context: ImportContext, path: string): Promise<ImportedFile> {
  if (!isFootageName(basename(path))) throw refusal('unsupported_media_type', 'A file with this ending is not taken as footage.');
  if ((await stat(path)).size === 0) throw refusal('empty_file', 'The file is empty.');
  const sidecars = await findSidecars(path);
  const staged = await stageFile(context.folder, path, context.reserveBytes);
  const known = await findByContentHash(context.pool, staged.contentHash);
  if (known) {
    await rm(staged.path);
    return { videoId: known, wasKnown: true, remarks: [] };
  }
  const failed = await findFailedByContentHash(context.pool, staged.contentHash);
  if (failed && (await tryAgain(context, failed, { sidecars, path }))) {
    await rm(staged.path);
    return { videoId: failed, wasKnown: false, remarks: sidecars.remarks };
  }
  const video = newVideo({ ...staged, id: newVideoId(), fileName: keptFileName(path) }, sidecars);
  const keys = videoKeys(video.id);
  await context.store.put(keys.original, { path: staged.path });
  await keepSidecars(context.store, keys.sidecars, { ...sidecars, fileName: video.fileName });
  const created = await inTransaction(context.pool, async (db) => {
    const isNew = await createVideo(db, video);
    if (isNew) await context.queue.enqueue(ingestQueue, { videoId: video.id }, { db });
    return isNew;
  });
  if (created) return { videoId: video.id, wasKnown: false, remarks: sidecars.remarks };
  // Somebody else brought the same content in between the look and the record.
  await context.store.remove(keys.all, 'The same content came in twice at the same time; the other copy is kept.');
  return { videoId: (await findByContentHash(context.pool, staged.contentHash)) ?? video.id, wasKnown: true, remarks: [] };
}

/** Takes up a video that failed before, when its original is still there; with the sidecars that lie beside the film now. */
async function tryAgain(
  context: ImportContext,
  videoId: string,
  { sidecars, path }: { sidecars: Sidecars; path: string },
): Promise<boolean> {
  const keys = videoKeys(videoId);
  if (!(await context.store.stat(keys.original))) return false;
  await keepSidecars(context.store, keys.sidecars, { ...sidecars, fileName: keptFileName(path) });
  await retryFootage(context, videoId);
  return true;
}

/** What is known of footage before it is analysed. */
export function newVideo(file: { id: string; fileName: string; contentHash: string; sizeBytes: number }, sidecars: CameWithFilm): NewVideo {
  const { facts, people, labels, brands } = knownOfFilm(file, sidecars);
  return { ...file, ...facts, people, labels, brands };
}
