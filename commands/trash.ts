import { Problem } from '#contract/problem.ts';
import { openArchive } from '#domain/archive/open-archive.ts';
import { inTransaction } from '#domain/db/database.ts';
import { refuseWithoutDatabase } from '#domain/db/open-database.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { sha256OfStored } from '#domain/files/sha256.ts';
import type { FileStore, TrashEntry } from '#domain/files/store.ts';
import { videoIdOfName } from '#domain/files/trash-note.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { ingestQueue } from '#domain/jobs/ingest-queue.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { cleanText } from '#domain/videos/clean-text.ts';
import { createVideo, findByContentHash, findFailedByContentHash, isFreeVideoId } from '#domain/videos/create-video.ts';
import { deletedKeptDaysFor } from '#domain/videos/deletions.ts';
import type { FilmArchive } from '#domain/videos/film-archive.ts';
import { beginAgain, findFootage, withFilmInHand } from '#domain/videos/footage.ts';
import { type IngestConfig, readIngestConfig } from '#ingest/config.ts';
import { toNewVideo } from '#ingest/footage/import-file.ts';
import { readKeptSidecars } from '#ingest/footage/sidecars.ts';
import { log, print, runCommand } from './run-command.ts';

type Archive = Pick<FilmArchive, 'pool' | 'store' | 'queue'>;

/**
 * Puts an entry of the trash back where it lay, and its video to work: one that failed is tried again, one that the database does not know
 * begins as a new one under its old id. Cut off anywhere, the same call goes on. Returns a sentence about it. Throws a Problem, and leaves the entry in the trash, for footage that
 * the archive holds already, and while somebody else has that video in hand.
 */
async function restoreFromTrash(archive: Archive, name: string): Promise<string> {
  const videoId = videoIdOfName(name);
  if (videoId === undefined) throw new Problem('not_found', `There is no ${name} in the trash.`);
  // To read its original takes minutes, in which the sweep would find files that the database does not know, as old as they were.
  return await withFilmInHand(archive.pool, videoId, () => putBack(archive, { name, videoId }));
}

async function putBack(archive: Archive, { name, videoId }: { name: string; videoId: string }): Promise<string> {
  if (!(await isPutBack(archive, { name, videoId }))) await archive.store.trash.putBack(name);
  const video = await findFootage(archive.pool, videoId);
  if (video?.state === 'Failed') {
    await beginAgain(archive, videoId);
    return `${name}: put back; “${video.name}” (${videoId}) is being tried again.`;
  }
  if (video) return `${name}: put back beside “${video.name}” (${videoId}).`;
  const title = await takeUpAnew(archive, videoId);
  return `${name}: put back; “${title}” (${videoId}) is being processed again.`;
}

/** Whether a call that was cut off has put it back before: its original lies there, and no film was made of it yet. */
async function isPutBack({ pool, store }: Archive, { name, videoId }: { name: string; videoId: string }): Promise<boolean> {
  if ((await store.trash.list(videoId)).some((entry) => entry.name === name)) return false;
  return (await isFreeVideoId(pool, videoId)) && (await store.stat(toVideoKeys(videoId).original)) !== null;
}

async function takeUpAnew({ pool, store, queue }: Archive, videoId: string): Promise<string> {
  const keys = toVideoKeys(videoId);
  const original = await hashOf(store, keys.original);
  const known = original && (await findByContentHash(pool, original.contentHash));
  const failed = original && (await findFailedByContentHash(pool, original.contentHash));
  const refuse = async (why: string) => {
    await store.remove(keys.all, why);
    throw new Problem('conflict', `${why} It was left in the trash.`);
  };
  if (!original) return await refuse('It contains no original.');
  if (known) return await refuse(`The archive already has this footage, as ${known}.`);
  if (failed) return await refuse(`The archive already has this footage, as ${failed}, which failed. Import the file again to retry it.`);
  const sidecars = await readKeptSidecars(store, keys.sidecars);
  const video = toNewVideo({ ...original, id: videoId, fileName: sidecars.fileName }, sidecars);
  await inTransaction(pool, async (db) => {
    if (await createVideo(db, video)) await queue.enqueue(ingestQueue, { videoId }, { db });
  });
  return video.name;
}

async function hashOf(store: FileStore, key: string): Promise<{ contentHash: string; sizeBytes: number } | null> {
  const file = await store.openRange(key);
  if (!file) return null;
  return { contentHash: await sha256OfStored(file), sizeBytes: file.sizeBytes };
}

const usage = `Usage: npm run trash -- list               lists the trash, oldest first
       npm run trash -- restore NAME…    puts it back, and its video to work
       npm run trash -- purge            deletes for good what has been there for 30 days, 36 with DATABASE_URL
       npm run trash -- purge NAME…      deletes these for good, however recent`;
const dayMs = 24 * 60 * 60 * 1_000;

const [command, ...names] = process.argv.slice(2);
await runCommand(() => run(readIngestConfig()));

/** Works beside a running server as well as alone. Returns the exit code. */
async function run(config: IngestConfig): Promise<number> {
  const { store } = openArchiveFiles(config.dataFolder, config.s3);
  if (command === 'list' && names.length === 0) return await list(store);
  if (command === 'purge') return await purge(config, store);
  if (command === 'restore' && names.length > 0) return await restore(config, store);
  log(usage);
  return 1;
}

async function list({ trash }: FileStore): Promise<number> {
  const entries = await trash.list();
  for (const entry of entries) print(describe(entry));
  const sizeBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0);
  print(entries.length === 0 ? 'The trash is empty.' : `${entries.length} in the trash, ${toMegabytes(sizeBytes)}.`);
  return 0;
}

async function purge(config: IngestConfig, { trash }: FileStore): Promise<number> {
  // A database that is restored to an earlier moment may know what was refused or taken away since.
  const keptDays = deletedKeptDaysFor(config);
  const oldEnough = (entry: TrashEntry) => entry.at.getTime() < Date.now() - keptDays * dayMs;
  const wanted = (await trash.list()).filter((entry) => (names.length > 0 ? names.includes(entry.name) : oldEnough(entry)));
  for (const entry of wanted) {
    await trash.purge(entry.name);
    print(`purged ${describe(entry)}`);
  }
  const missing = names.filter((name) => !wanted.some((entry) => entry.name === name));
  for (const name of missing) log(`There is no ${name} in the trash.`);
  print(`${wanted.length} purged, ${(await trash.list()).length} left.`);
  return missing.length > 0 ? 1 : 0;
}

async function restore(config: IngestConfig, store: FileStore): Promise<number> {
  refuseWithoutDatabase(config);
  const { pool, close } = await openArchive(config);
  const queue = await openJobQueue(pool, { onError: (error) => log(`jobs: ${error.message}`) });
  let failures = 0;
  for (const name of names) {
    try {
      print(await restoreFromTrash({ pool, store, queue }, name));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      log(`${name}: ${error.message}`);
      failures += 1;
    }
  }
  await queue.stop();
  await close();
  return failures > 0 ? 1 : 0;
}

function describe({ name, at, sizeBytes, reason }: TrashEntry): string {
  return `${name}  ${at.toISOString().slice(0, 10)}  ${toMegabytes(sizeBytes)}  ${cleanText(reason, 300)}`;
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
