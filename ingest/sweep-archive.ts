import { checkSidesDaily } from '#domain/archive/pair-sides.ts';
import type { Pool } from '#domain/db/database.ts';
import type { ArchiveFolder } from '#domain/files/archive-folder.ts';
import type { FileStore } from '#domain/files/store.ts';
import { sweepLeftovers } from '#domain/files/sweep.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { sweepUploads } from '#domain/footage/uploads.ts';
import { withVideoClaim } from '#domain/jobs/worker-lease.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import type { Say } from '#domain/system/log.ts';
import { eraseDueFilms } from '#domain/videos/erase-film.ts';
import { findVideosWithoutFootage } from '#domain/videos/footage.ts';
import { findScratchInUse } from '#domain/videos/record-step.ts';

interface SweepOptions {
  readonly log: Say;
  /** How old files are before the database ought to know them. */
  readonly settledAfterMs: number;
  /** For how many days films that were deleted can be brought back. */
  readonly keptDays: number;
  /** Ends it behind the video that it has in hand. */
  readonly signal?: AbortSignal;
}

/**
 * Removes the scratch that crashes have left, and takes the files of videos that the database does not know, and that have settled, into the trash:
 * an import that was cut off leaves such files. Films that were deleted longer ago than they can be
 * brought back are erased. A database that is not the one of these media, or has become another one since the start,
 * moves nothing.
 */
export async function sweepArchive(
  { pool, folder, store }: { pool: Pool; folder: ArchiveFolder; store: FileStore },
  { log, settledAfterMs, keptDays, signal }: SweepOptions,
): Promise<void> {
  await sweepLeftovers(folder, { inUse: await findScratchInUse(pool) });
  await sweepUploads({ pool, folder, store });
  const names = { folder: folder.root, database: 'that this worker uses' };
  const refusal = await checkSidesDaily(pool, { folder, store }, names);
  if (refusal !== undefined) return log(`sweep: nothing was moved. ${refusal}`, { level: 'error' });
  // What cannot be dropped there keeps no film from being erased.
  await store.trash.sweep().catch((error: unknown) => log(`sweep: the trash: ${errorMessageOf(error)}`, { level: 'error', error }));
  await eraseDueFilms(
    { pool, store },
    {
      keptDays,
      signal,
      told: (id) => log(`sweep: ${id}: it was deleted ${keptDays} days ago and is erased now`, { video: id }),
      failed: (id, error) => log(`sweep: ${id}: it could not be erased: ${errorMessageOf(error)}`, { level: 'error', video: id, error }),
    },
  );
  if (signal?.aborted) return;
  for (const { id } of await findVideosWithoutFootage(pool, await store.listVideos())) {
    if (signal?.aborted) return;
    if (!(await isSettled(store, id, settledAfterMs))) continue;
    // Whoever puts files back, or others in their place, has the film in hand until the database knows them.
    await withVideoClaim(pool, id, async () => {
      const [left] = await findVideosWithoutFootage(pool, [id]);
      if (!left || !(await isSettled(store, id, settledAfterMs))) return;
      const reason = left.refusedFor === null ? 'the database knows no such video' : `refused (${left.refusedFor})`;
      const taken = await store.remove(toVideoKeys(id).all, reason);
      if (taken) log(`sweep: ${id}: ${reason}; its files lie in the trash as ${taken.name}`, { video: id });
    });
  }
}

/** Whether the newest of a video's files came so long ago. Into a place without files something is about to come: whoever brings a film in makes its folder first. */
async function isSettled(store: FileStore, id: string, afterMs: number): Promise<boolean> {
  let newestMs = Number.NEGATIVE_INFINITY;
  for await (const { modifiedAt } of store.list(toVideoKeys(id).all)) newestMs = Math.max(newestMs, modifiedAt.getTime());
  return Number.isFinite(newestMs) && Date.now() - newestMs >= afterMs;
}
