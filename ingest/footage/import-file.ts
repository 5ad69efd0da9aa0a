/*
 * What comes in without a browser: files and folders of this machine, existing transcripts, and the watched folder.
 */
import type { Stats } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isFootageName } from '#contract/footage-names.ts';
import { Problem } from '#contract/problem.ts';
import { inTransaction, type Pool } from '#domain/db/database.ts';
import type { ArchiveFolder } from '#domain/files/archive-folder.ts';
import { sha256OfFile } from '#domain/files/sha256.ts';
import { stageFile } from '#domain/files/stage-file.ts';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { type AddedFootage, addFootage, type FootageToAdd, leaveNothing } from '#domain/footage/add-footage.ts';
import { addSidecarsOfKnown } from '#domain/footage/add-sidecar.ts';
import { toKeptFileName } from '#domain/footage/footage-name.ts';
import { keepSidecars } from '#domain/footage/kept-sidecars.ts';
import { type OriginalsQuota, requireQuota } from '#domain/footage/originals-quota.ts';
import { endsOfFile, findSameFootage } from '#domain/footage/uploads.ts';
import type { JobQueue } from '#domain/jobs/job-queue.ts';
import { withVideoClaim } from '#domain/jobs/worker-lease.ts';
import { findByContentHash, isFreeVideoId, makeVideoId, type NewVideo } from '#domain/videos/create-video.ts';
import { refuseDeletedContent } from '#domain/videos/deletions.ts';
import { type CameWithFilm, knownOfFilm } from '../known-of-film.ts';
import { makeRefusal } from '../step-failure.ts';
import { findSidecars, newBeside, toKeep } from './sidecars.ts';

export interface ImportContext {
  readonly pool: Pool;
  readonly folder: ArchiveFolder;
  readonly store: FileStore;
  readonly queue: JobQueue;
  readonly reserveBytes: number;
  readonly quota?: OriginalsQuota | undefined;
}

export interface ImportedFile extends AddedFootage {
  readonly remarks: readonly string[];
}

/**
 * Brings one file into the archive: a copy safe on disk, then its record, its job and `note` in one transaction. Of what is here already nothing is copied: `note` is
 * written once what lies beside it is there as well. The source stays as it is.
 * Throws a refusal for what is no footage, and a Problem where there is no room, or where the file changed while it was copied.
 */
export async function importFile(context: ImportContext, path: string, note?: FootageToAdd['note']): Promise<ImportedFile> {
  if (!isFootageName(basename(path)))
    throw makeRefusal('unsupported_media_type', 'Files with this extension are not supported as video or audio.');
  const before = await stat(path);
  if (before.size === 0) throw makeRefusal('empty_file', 'The file is empty.');
  const sidecars = await findSidecars(path);
  const { pool } = context;
  const known = await findKnown(context, path, before);
  if (known !== undefined) {
    const laid = await layBeside(context, known, { path, sidecars });
    await inTransaction(pool, async (db) => await note?.(db, laid));
    return laid;
  }
  if (context.quota) await requireQuota(pool, context.quota, { sizeBytes: before.size });
  const { videoId: wished } = sidecars.facts;
  const take = (id: string) => takeFile(context, { id, path, before, sidecars, note });
  // From the look to the record nobody else is given the id: two originals would have one place.
  const asWished =
    wished === undefined
      ? undefined
      : await withVideoClaim(pool, wished, async () => ((await isFreeVideoId(pool, wished)) ? await take(wished) : undefined));
  return asWished ?? (await take(makeVideoId()));
}

interface FoundFile {
  readonly id: string;
  readonly path: string;
  /** As it was before anything was read of it. */
  readonly before: Stats;
  readonly sidecars: Awaited<ReturnType<typeof findSidecars>>;
  readonly note: FootageToAdd['note'];
}

async function takeFile(context: ImportContext, { id, path, before, sidecars, note }: FoundFile): Promise<ImportedFile> {
  const { path: stagedPath, ...staged } = await stageFile(context, path, context.reserveBytes);
  await requireUnchanged(path, before).catch(async (error: unknown) => {
    await rm(stagedPath, { force: true });
    throw error;
  });
  const video = toNewVideo({ ...staged, id, fileName: toKeptFileName(path) }, sidecars);
  const added = await addFootage(context, {
    video,
    path: stagedPath,
    keepSidecars: (below) => keepSidecars(context.store, below, toKeep(sidecars, video.fileName)),
    note: async (db, became) => {
      if (!became.wasKnown) await note?.(db, became);
    },
  }).catch(async (error: unknown) => {
    // Whoever tries again copies it again: on a store that is away or full each try would leave one.
    await rm(stagedPath, { force: true });
    return await leaveNothing(context, id, error);
  });
  if (!added.wasKnown) return { ...added, remarks: sidecars.remarks };
  const laid = await layBeside(context, added.videoId, { path, sidecars });
  await inTransaction(context.pool, async (db) => await note?.(db, laid));
  return laid;
}

/**
 * The film that the archive has of this file: one of its size, beginning and end is looked for, and the whole file is then read where it lies and
 * not copied. Undefined where there is none. Throws a Problem where that was deleted.
 */
async function findKnown({ pool, store }: ImportContext, path: string, before: Stats): Promise<string | undefined> {
  if (!(await findSameFootage({ pool, store }, { sizeBytes: before.size, ends: await endsOfFile(path) }))) return undefined;
  const contentHash = await sha256OfFile(path);
  await requireUnchanged(path, before);
  await refuseDeletedContent(pool, contentHash);
  return await findByContentHash(pool, contentHash);
}

async function requireUnchanged(path: string, before: Stats): Promise<void> {
  const after = await stat(path);
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs)
    throw new Problem('version_mismatch', 'The file changed while it was being copied. Add it again when it is complete.');
}

/** Lays what came with a film that the archive had beside it. */
async function layBeside(
  context: ImportContext,
  videoId: string,
  { path, sidecars }: Pick<FoundFile, 'path' | 'sidecars'>,
): Promise<ImportedFile> {
  const files = await newBeside(context.store, toVideoKeys(videoId).sidecars, { filmPath: path, facts: sidecars.facts });
  const laid = await addSidecarsOfKnown(context, { videoId, sidecars: files });
  return { videoId, wasKnown: true, remarks: laid.filter(({ is }) => is !== 'same').map(({ says }) => says) };
}

/** What is known of footage before it is analysed. */
export function toNewVideo(
  file: { id: string; fileName: string; contentHash: string; sizeBytes: number },
  sidecars: CameWithFilm,
): NewVideo {
  const { facts, people, labels, brands } = knownOfFilm(file, sidecars);
  return { ...file, ...facts, people, labels, brands };
}
