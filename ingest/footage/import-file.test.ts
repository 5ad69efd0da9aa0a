import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveFolder } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import type { FileStore } from '#domain/files/store.ts';
import { videoKeys } from '#domain/files/video-keys.ts';
import { type JobQueue, openJobQueue } from '#domain/jobs/job-queue.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { importFile } from './import-file.ts';
import { importTranscripts } from './import-transcripts.ts';

let root: string;
let database: TestDatabase;
let queue: JobQueue;
let store: FileStore;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'rushes-import-'));
  database = await createTestDatabase();
  queue = await openJobQueue(database.pool, { onError: () => {} });
  store = openLocalStore(join(root, 'data'));
});
afterAll(async () => {
  await queue.stop();
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

const inFolder = (name: string) => join(root, name);

test('of two films that wish for one id at the same time the first has it, and neither has the file of the other', async () => {
  const wished = '8c2a1f00de';
  for (const name of ['one', 'two']) {
    writeFileSync(inFolder(`${name}.mp4`), `film ${name}`);
    writeFileSync(inFolder(`${name}.json`), JSON.stringify({ videoId: wished }));
  }
  const context = { pool: database.pool, folder: archiveFolder(join(root, 'data')), queue, reserveBytes: 0 };
  const [isOnItsWay, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: FileStore = {
    ...store,
    put: async (key, from) => {
      isOnItsWay.resolve();
      await mayGoOn.promise;
      await store.put(key, from);
    },
  };
  const first = importFile({ ...context, store: slow }, inFolder('one.mp4'));
  await isOnItsWay.promise;
  const second = await importFile({ ...context, store }, inFolder('two.mp4'));
  mayGoOn.resolve();
  expect((await first).videoId).toBe(wished);
  expect(second.videoId).not.toBe(wished);
  const original = async (id: string) => String(await storedBytes(store, videoKeys(id).original));
  expect([await original(wished), await original(second.videoId)]).toEqual(['film one', 'film two']);
  // The same film again takes no other id.
  expect((await importFile({ ...context, store }, inFolder('one.mp4'))).videoId).toBe(wished);
});

test('an import whose posters could not be drawn says why, and the next one draws all that are lacking', async () => {
  const { pool } = database;
  const path = inFolder('records.jsonl');
  const lines = Array.from({ length: 450 }, (_, n) => JSON.stringify({ id: `record ${n}`, title: `Record ${n}` }));
  writeFileSync(path, lines.join('\n'));
  const full: FileStore = { ...store, put: () => Promise.reject(new Error('the disk is full')) };
  await expect(importTranscripts({ pool, store: full }, path, () => {})).rejects.toThrow('the disk is full');
  await importTranscripts({ pool, store }, path, () => {});
  const { rows } = await pool.query<{ id: string }>(`select id from videos where origin = 'catalogue'`);
  const drawn = await Promise.all(rows.map(({ id }) => store.stat(videoKeys(id).poster)));
  expect([rows.length, drawn.filter((poster) => poster === null)]).toEqual([450, []]);
});
