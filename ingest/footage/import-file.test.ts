import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { type JobQueue, openJobQueue } from '#domain/jobs/job-queue.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { until } from '#testing/until.ts';
import { importFile } from './import-file.ts';
import { importTranscripts } from './import-transcripts.ts';
import { readKeptSidecars } from './sidecars.ts';

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

const context = () => ({ pool: database.pool, folder: archiveFolderIn(join(root, 'data')), store, queue, reserveBytes: 0 });
const inFolder = (name: string) => join(root, name);

test('of two films that wish for one id at the same time the first has it, and neither has the file of the other', async () => {
  const wished = '8c2a1f00de';
  for (const name of ['one', 'two']) {
    writeFileSync(inFolder(`${name}.mp4`), `film ${name}`);
    writeFileSync(inFolder(`${name}.json`), JSON.stringify({ videoId: wished }));
  }
  const [isOnItsWay, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: FileStore = {
    ...store,
    put: async (key, from) => {
      isOnItsWay.resolve();
      await mayGoOn.promise;
      await store.put(key, from);
    },
  };
  const first = importFile({ ...context(), store: slow }, inFolder('one.mp4'));
  await isOnItsWay.promise;
  const second = await importFile(context(), inFolder('two.mp4'));
  mayGoOn.resolve();
  expect((await first).videoId).toBe(wished);
  expect(second.videoId).not.toBe(wished);
  const original = async (id: string) => String(await storedBytes(store, toVideoKeys(id).original));
  expect([await original(wished), await original(second.videoId)]).toEqual(['film one', 'film two']);
  // The same film again takes no other id.
  expect((await importFile(context(), inFolder('one.mp4'))).videoId).toBe(wished);
});

test('a film that is here already is known without a copy, and one that only has its size and ends is another', async () => {
  const film = Buffer.alloc(3 * limits.endPieceBytes, 'film');
  writeFileSync(inFolder('here.mp4'), film);
  const { videoId } = await importFile(context(), inFolder('here.mp4'));
  writeFileSync(inFolder('again.mp4'), film);
  // No room for any copy.
  const full = { ...context(), reserveBytes: Number.MAX_SAFE_INTEGER };
  const noted: unknown[] = [];
  const again = await importFile(full, inFolder('again.mp4'), (_, added) => Promise.resolve(void noted.push(added)));
  expect([again, noted]).toEqual([{ videoId, wasKnown: true, remarks: [] }, [{ videoId, wasKnown: true, remarks: [] }]]);
  writeFileSync(inFolder('other.mp4'), film.fill('other', limits.endPieceBytes, 2 * limits.endPieceBytes));
  await expect(importFile(full, inFolder('other.mp4'))).rejects.toMatchObject({ code: 'storage_full' });
  expect(await importFile(context(), inFolder('other.mp4'))).toMatchObject({ wasKnown: false });
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
  const drawn = await Promise.all(rows.map(({ id }) => store.stat(toVideoKeys(id).poster)));
  expect([rows.length, drawn.filter((poster) => poster === null)]).toEqual([450, []]);
});

test('a record in a file of its own comes in with a word of the fields that nothing reads, and of what is left out for an address', async () => {
  const record = { id: 'alone', title: 'Alone', rights: 'ask ann@archive.example', transcript: [{ start: 1, text: 'hello' }] };
  writeFileSync(inFolder('alone.json'), JSON.stringify(record));
  const told: string[] = [];
  await importTranscripts({ pool: database.pool, store }, inFolder('alone.json'), (line) => told.push(line));
  expect(told).toEqual([
    'alone.json: removed what looked like an e-mail address from rights',
    'alone.json: 1 records added',
    expect.stringContaining('alone.json: fields left out, and how many records have them: transcript (1). What is read: id,'),
    'alone.json: 1 added, 0 already in the archive, 0 refused',
  ]);
});

test('a film that changes while it is copied is not taken in, and nothing of its copy is left', async () => {
  const path = inFolder('growing.mp4');
  writeFileSync(path, Buffer.alloc(32_000_000, 'film'));
  let isOver = false;
  const importing = importFile(context(), path).finally(() => {
    isOver = true;
  });
  const growing = until(async () => {
    await appendFile(path, 'more');
    return isOver;
  });
  await expect(importing).rejects.toMatchObject({ code: 'version_mismatch' });
  await growing;
  const { rowCount } = await database.pool.query(`select from videos where file_name = 'growing.mp4'`);
  expect([rowCount, readdirSync(context().folder.staging)]).toEqual([0, []]);
});

test('a film that the store could not take, or not with all that lies beside it, leaves nothing behind, however often it is tried', async () => {
  const path = inFolder('away.mp4');
  writeFileSync(path, 'a film for a store that goes away');
  const before = await store.listVideos();
  for (const goesAwayAt of ['original', 'facts.json']) {
    const away: FileStore = {
      ...store,
      put: async (key, from) => {
        if (key.endsWith(goesAwayAt)) throw new Error('the store is away');
        await store.put(key, from);
      },
    };
    await expect(importFile({ ...context(), store: away }, path)).rejects.toThrow('the store is away');
    const kept = await store.listVideos();
    expect([goesAwayAt, readdirSync(context().folder.staging), kept.toSorted()]).toEqual([goesAwayAt, [], before.toSorted()]);
  }
  expect(await importFile(context(), path)).toMatchObject({ wasKnown: false });
});

test('what lies beside a film that is here already is laid beside it, and takes the place of nothing; each is told of, once', async () => {
  const [path, words] = [inFolder('known.mp4'), inFolder('known.en.srt')];
  writeFileSync(path, 'a film that is known');
  writeFileSync(inFolder('known.json'), '{"title":"Known","labels":["quay"]}');
  // What came with it is known again, also where its name says less than what is in it.
  const heard = { language: 'nl', segments: [{ start: 0, end: 1, text: 'De haven', words: [] }], text: 'De haven' };
  writeFileSync(inFolder('known.whisper.json'), JSON.stringify(heard));
  const { videoId } = await importFile(context(), path);
  writeFileSync(words, '1\n00:00:00,500 --> 00:00:01,500\nThe lights\n');
  const again = async () => (await importFile(context(), path)).remarks;
  expect([await again(), await again()]).toEqual([['known.en.srt was added to it.'], []]);
  const keys = toVideoKeys(videoId);
  const { subtitles, facts } = await readKeptSidecars(store, keys.sidecars);
  expect([subtitles, facts.title]).toMatchObject([[{ language: 'en' }], 'Known']);
  writeFileSync(words, '1\n00:00:00,500 --> 00:00:01,500\nOther lights\n');
  writeFileSync(inFolder('known.json'), '{"title":"Other"}');
  const howTo = (what: string) => `the video already has ${what} in this language. Add it on its own on the desk to replace them.`;
  expect(await again()).toEqual([
    `known.en.srt was skipped: ${howTo('subtitles')}`,
    `known.json was skipped: ${howTo('facts or transcript')}`,
  ]);
  expect(String(await storedBytes(store, subtitles[0]?.key ?? ''))).toContain('The lights');
});
