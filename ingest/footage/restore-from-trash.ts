import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Problem } from '#contract/problem.ts';
import { inTransaction, type Pool } from '#domain/db/database.ts';
import type { FileStore } from '#domain/files/store.ts';
import { videoIdOfKey, videoKeys } from '#domain/files/video-keys.ts';
import { ingestQueue } from '#domain/jobs/ingest-queue.ts';
import type { JobQueue } from '#domain/jobs/job-queue.ts';
import { createVideo, findByContentHash } from '#domain/videos/create-video.ts';
import { findFootage, retryFootage } from '#domain/videos/footage.ts';
import { newVideo } from './import-file.ts';
import { readKeptSidecars } from './sidecars.ts';

interface Archive {
  readonly pool: Pool;
  readonly store: FileStore;
  readonly queue: JobQueue;
}

/**
 * Puts an entry of the trash back where it lay, and its video to work: one that failed is tried again, one that the database does not know
 * begins as a new one under its old id. Returns a sentence about it. Throws a Problem, and leaves the entry in the trash, for footage that
 * the archive holds already.
 */
export async function restoreFromTrash(archive: Archive, name: string): Promise<string> {
  const { key } = await archive.store.trash.putBack(name);
  const videoId = videoIdOfKey(key);
  const video = await findFootage(archive.pool, videoId);
  if (video?.state === 'Failed') {
    await retryFootage(archive, videoId);
    return `${name}: put back; “${video.name}” (${videoId}) is tried again.`;
  }
  if (video) return `${name}: put back beside “${video.name}” (${videoId}).`;
  const title = await takeUpAnew(archive, videoId);
  return `${name}: put back; “${title}” (${videoId}) is ingested anew.`;
}

async function takeUpAnew({ pool, store, queue }: Archive, videoId: string): Promise<string> {
  const keys = videoKeys(videoId);
  const original = await hashOf(store, keys.original);
  const known = original && (await findByContentHash(pool, original.contentHash));
  const refuse = async (why: string) => {
    await store.remove(keys.all, why);
    throw new Problem('conflict', `${why} It was left in the trash.`);
  };
  if (!original) return await refuse('There is no original in it.');
  if (known) return await refuse(`The archive holds the same footage as ${known}.`);
  const sidecars = await readKeptSidecars(store, keys.sidecars);
  const video = newVideo({ ...original, id: videoId, fileName: sidecars.fileName }, sidecars);
  await inTransaction(pool, async (db) => {
    if (await createVideo(db, video)) await queue.enqueue(ingestQueue, { videoId }, { db });
  });
  return video.name;
}

async function hashOf(store: FileStore, key: string): Promise<{ contentHash: string; sizeBytes: number } | null> {
  const file = await store.openRange(key);
  if (!file) return null;
  const hash = createHash('sha256');
  await pipeline(file.stream(), hash);
  return { contentHash: hash.digest('hex'), sizeBytes: file.sizeBytes };
}
