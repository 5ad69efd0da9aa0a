import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm, originalOf as originalOfFilm } from '#testing/add-film.ts';
import { endsOf, madeBytes } from '#testing/made-bytes.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { archiveFolderIn } from '../files/archive-folder.ts';
import { openLocalStore } from '../files/local-store.ts';
import { sha256Of } from '../files/sha256.ts';
import type { FileStore } from '../files/store.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { type JobQueue, openJobQueue } from '../jobs/job-queue.ts';
import { originalOf, withVideoClaim } from '../jobs/worker-lease.ts';
import { failVideo } from '../videos/fail-video.ts';
import { findFootage } from '../videos/footage.ts';
import { registerSteps } from '../videos/steps.ts';
import { finishUpload } from './finish-upload.ts';
import { refuseFootage } from './replace-footage.ts';
import { appendToUpload, beginUpload, makeUploadId } from './uploads.ts';

const root = mkdtempSync(join(tmpdir(), 'rushes-replace-'));
const [folder, store] = [archiveFolderIn(root), openLocalStore(root)];
const userId = 'replacing';
const bounds = { fileMaxBytes: 1e6, unfinishedMaxBytes: 1e9, reserveBytes: 0, quota: {} };
const unreadable = { code: 'unreadable_media', message: 'It could not be read.' };
let database: TestDatabase;
let queue: JobQueue;
let archive: { pool: TestDatabase['pool']; folder: typeof folder; store: FileStore; queue: JobQueue };
beforeAll(async () => {
  database = await createTestDatabase();
  queue = await openJobQueue(database.pool, { onError: () => {} });
  archive = { pool: database.pool, folder, store, queue };
  await registerSteps(database.pool, [{ name: 'probe', version: 1, class: 'playable', optional: false }]);
  await database.pool.query(`insert into users (id, email, name) values ($1, 'replacing@people.example', 'Editor')`, [userId]);
});
afterAll(async () => {
  await queue.stop();
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

test('a film that is just being refused takes no other file before its own lies in the trash', async () => {
  const film = await newFilm();
  const { held, isHeld, mayGoOn } = holding();
  const refusing = refuseFootage({ ...archive, store: held }, { videoId: film, contentHash: hashOf(film), ...unreadable });
  await isHeld;
  const { bytes, finish } = await sendInPlaceOf(film, 'while it is refused');
  expect(await finish()).toBeUndefined();
  mayGoOn();
  expect(await refusing).toMatchObject({ is: 'failed', taken: { key: toVideoKeys(film).all } });
  expect(await finish()).toMatchObject({ videoId: film });
  expect((await storedBytes(store, toVideoKeys(film).original)).equals(bytes)).toBe(true);
  expect((await findFootage(archive.pool, film))?.state).toBe('Uploaded');
});

test('a film is not refused while another file is put in its place, nor for the one that it has no more', async () => {
  const film = await newFilm();
  const refuse = () => refuseFootage(archive, { videoId: film, contentHash: hashOf(film), ...unreadable });
  expect(await withVideoClaim(archive.pool, originalOf(film), async () => ({ is: await refuse() }))).toEqual({ is: undefined });
  const { bytes, finish } = await sendInPlaceOf(film, 'of another film');
  await finish();
  expect(await refuse()).toEqual({ is: 'kept' });
  expect(await findFootage(archive.pool, film)).toMatchObject({ state: 'Uploaded', contentHash: sha256Of(bytes) });
  expect((await storedBytes(store, toVideoKeys(film).original)).equals(bytes)).toBe(true);
});

test('a film that is just given its file of before takes no other one until its row tells of it', async () => {
  const { film, refused } = await playingFilm('unreadable');
  const { held, isHeld, mayGoOn } = holding();
  const refusing = refuseFootage({ ...archive, store: held }, { videoId: film, contentHash: refused, ...unreadable });
  await isHeld;
  const { bytes, finish } = await sendInPlaceOf(film, 'while it is put back');
  expect(await finish()).toBeUndefined();
  mayGoOn();
  expect(await refusing).toEqual({ is: 'put-back' });
  expect(await lies(film)).toEqual({ original: hashOf(film), row: hashOf(film) });
  expect(await finish()).toMatchObject({ videoId: film });
  expect(await lies(film)).toEqual({ original: sha256Of(bytes), row: sha256Of(bytes) });
});

test('a film that got another file keeps it, and its row, whatever is found out of the one before', async () => {
  const { film, refused } = await playingFilm('unreadable as well');
  const { bytes, finish } = await sendInPlaceOf(film, 'since');
  await finish();
  expect(await refuseFootage(archive, { videoId: film, contentHash: refused, ...unreadable })).toEqual({ is: 'kept' });
  expect(await lies(film)).toEqual({ original: sha256Of(bytes), row: sha256Of(bytes) });
  // Another process took the claim, which was lost with its connection, and was faster.
  const meanwhile: FileStore = {
    ...store,
    openRange: async (key) => {
      await archive.pool.query('update videos set content_hash = $1 where id = $2', [hashOf('another'), film]);
      return await store.openRange(key);
    },
  };
  const late = refuseFootage({ ...archive, store: meanwhile }, { videoId: film, contentHash: sha256Of(bytes), ...unreadable });
  await expect(late).rejects.toThrow('got another file');
  expect((await lies(film)).row).toBe(hashOf('another'));
});

test('a film that failed gets no other file while somebody has it in hand', async () => {
  const film = await newFilm();
  await failVideo(archive.pool, { videoId: film, ...unreadable });
  const { bytes, finish } = await sendInPlaceOf(film, 'in hand');
  await withVideoClaim(archive.pool, film, () => expect(finish()).rejects.toMatchObject({ code: 'unavailable' }));
  expect(String(await storedBytes(store, toVideoKeys(film).original))).toBe(originalOfFilm(film));
  expect(await finish()).toMatchObject({ videoId: film });
  expect((await storedBytes(store, toVideoKeys(film).original)).equals(bytes)).toBe(true);
});

/** A film that plays, and in whose place a file came that no step has been done with. */
async function playingFilm(seed: string): Promise<{ film: string; refused: string }> {
  const film = await addFilm(archive);
  const { bytes, finish } = await sendInPlaceOf(film, seed);
  await finish();
  return { film, refused: sha256Of(bytes) };
}

/** What a film has in its place, and what its row says of that, by their hashes. */
async function lies(film: string) {
  const [bytes, row] = [await storedBytes(store, toVideoKeys(film).original), await findFootage(archive.pool, film)];
  return { original: sha256Of(bytes), row: row?.contentHash };
}

function newFilm(): Promise<string> {
  return addFilm(archive, { processed: false });
}

function hashOf(film: string): string {
  return sha256Of(originalOfFilm(film));
}

/** A store that stands still before it takes anything away, and once it has laid a copy into the trash. */
function holding() {
  const [isHeld, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held: FileStore = {
    ...store,
    remove: async (key, reason) => {
      isHeld.resolve();
      await goesOn.promise;
      return await store.remove(key, reason);
    },
    copyToTrash: async (key, reason) => {
      const copied = await store.copyToTrash(key, reason);
      isHeld.resolve();
      await goesOn.promise;
      return copied;
    },
  };
  return { held, isHeld: isHeld.promise, mayGoOn: goesOn.resolve };
}

/** Another file, sent to take the place of a film's. */
async function sendInPlaceOf(film: string, seed: string) {
  const [id, bytes] = [makeUploadId(), madeBytes(30_000, seed)];
  await beginUpload(archive, { id, userId, name: 'next.mp4', sizeBytes: bytes.length, ends: endsOf(bytes), replaces: film }, bounds);
  await appendToUpload(archive, { id, offset: 0, from: Readable.from([bytes]) });
  return { bytes, finish: () => finishUpload(archive, { id, userId, sha256: sha256Of(bytes), sidecars: [], from: '127.0.0.1' }) };
}
