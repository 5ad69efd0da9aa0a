import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMemoryStore } from '#testing/memory-store.ts';
import { runCommand } from '#testing/run-command.ts';
import { type StandInS3, startStandInS3 } from '#testing/stand-in-s3.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { holdMachine } from '../../archive/hold-machine.ts';
import { sql } from '../../db/sql.ts';
import { archiveFolderIn } from '../archive-folder.ts';
import { openLocalStore } from '../local-store.ts';
import type { FileStore } from '../store.ts';
import { toVideoKeys } from '../video-keys.ts';
import { moveMedia } from './move-media.ts';
import { openS3Store } from './s3-store.ts';

const [first, second] = [toVideoKeys('0123456789'), toVideoKeys('ffffffffff')];
const impatient = { pausesMs: [1], answersWithinMs: 3_000 };

let folder: string;
let standIn: StandInS3;
let local: FileStore;
let bucket: FileStore;
/** Films that the database does not name any more. */
let erased: string[];
beforeEach(async () => {
  erased = [];
  folder = mkdtempSync(join(tmpdir(), 'rushes-move-'));
  standIn = await startStandInS3();
  local = openLocalStore(join(folder, 'data'));
  bucket = openS3Store(standIn.settings, { folder: join(folder, 'copies') }, impatient);
  await local.put(first.original, Buffer.from('footage'));
  await local.put(`${first.hls}/master.m3u8`, Buffer.from('list'));
  await local.put(second.original, Buffer.from('other footage'));
});
afterEach(async () => {
  await standIn.close();
  rmSync(folder, { recursive: true, force: true });
});

const notes = () => join(folder, 'moved');
const unnamed = (ids: readonly string[]) => Promise.resolve(ids.filter((id) => erased.includes(id)));
const move = (from = local, to = bucket) => moveMedia({ from, to, notes: notes(), unnamed });

test('every file goes over, wherever it is cut off, and only what changed or went meanwhile is touched again', async () => {
  for (let requests = 1; requests < 100; requests++) {
    let left = requests;
    standIn.fail = () => (--left < 0 ? 'refuse' : undefined);
    const isDone = await move().then(
      () => true,
      () => false,
    );
    if (isDone) break;
  }
  standIn.fail = () => undefined;
  expect(await move()).toEqual({ copied: 0, copiedBytes: 0, kept: 3, removed: 0 });
  expect(String(await storedBytes(bucket, first.original))).toBe('footage');
  await local.put(first.original, Buffer.from('better footage'));
  await local.remove(second.all, 'erased meanwhile');
  erased = ['ffffffffff'];
  expect(await move()).toEqual({ copied: 1, copiedBytes: 14, kept: 1, removed: 1 });
  expect([String(await storedBytes(bucket, first.original)), await bucket.listVideos()]).toEqual(['better footage', ['0123456789']]);
  expect(await move()).toMatchObject({ copied: 0, removed: 0 });
  expect(String(await storedBytes(local, first.original))).toBe('better footage');
});

test('they come back the same way', async () => {
  await move();
  const back = openMemoryStore();
  await moveMedia({ from: bucket, to: back, notes: join(folder, 'back'), unnamed });
  expect(String(await storedBytes(back, `${first.hls}/master.m3u8`))).toBe('list');
});

test('what comes back as something else is no copy', async () => {
  const wrong: FileStore = { ...bucket, openRange: (key) => local.openRange(key === first.original ? second.original : key) };
  await expect(move(local, wrong)).rejects.toThrow('differs from its copy');
  expect(readFileSync(join(notes(), '0123456789'), 'utf8')).not.toContain(first.original);
});

const filmIds = Array.from({ length: 6 }, (_, n) => `00000000a${n}`);

test('nothing is removed where films went that the database names: a folder that is empty or lacks many is refused, with what to do', async () => {
  for (const id of filmIds) await local.put(toVideoKeys(id).original, Buffer.from(id));
  await move();
  const objects = [...standIn.objects.keys()].sort();
  await local.remove(first.all, 'lost');
  await local.remove(`${first.all}/hls`, 'lost');
  // A few may be on their way somewhere; what is there of them stays.
  expect(await move()).toEqual({ copied: 0, copiedBytes: 0, kept: 7, removed: 0 });
  for (const id of filmIds.slice(1)) await local.remove(toVideoKeys(id).all, 'lost');
  await expect(move()).rejects.toThrow(/^6 of the 8 videos .+ are no longer at their source, .+ Nothing was copied or removed/);
  rmSync(join(folder, 'data', 'media'), { recursive: true });
  erased = ['0123456789', 'ffffffffff', ...filmIds];
  await expect(move()).rejects.toThrow(/^None of the \d+ videos .+ mount the volume/);
  expect([...standIn.objects.keys()].sort()).toEqual(objects);
});

test('what is left of a film that changed goes, and what an erased film had does not come again', async () => {
  await move();
  await local.remove(`${first.hls}/master.m3u8`, 'made anew');
  await bucket.remove(second.all, 'erased there');
  erased = ['ffffffffff'];
  expect(await move()).toEqual({ copied: 0, copiedBytes: 0, kept: 1, removed: 1 });
  expect(await Array.fromAsync(bucket.list('media'), ({ key }) => key)).toEqual([first.original]);
});

test('of a film that was erased for good while it was moved nothing is left, also in no trash', async () => {
  await move();
  await local.remove(second.all, 'erased');
  await local.trash.purgeOf('ffffffffff');
  erased = ['ffffffffff'];
  expect(await move()).toMatchObject({ removed: 1 });
  expect([await bucket.listVideos(), await bucket.trash.list()]).toEqual([['0123456789'], []]);
  expect(await move()).toMatchObject({ copied: 0, kept: 2, removed: 0 });
});

test('what was moved to one store is not there in another', async () => {
  await move();
  const other = openMemoryStore();
  expect(await move(local, other)).toMatchObject({ copied: 3, kept: 0 });
  expect(String(await storedBytes(other, first.original))).toBe('footage');
  await other.remove(first.original, 'lost there');
  expect(await move(local, other)).toMatchObject({ copied: 1, kept: 2 });
});

test('the command moves the films of the archive into the bucket it is given, and refuses a folder that is not theirs any more', async () => {
  const database = await createTestDatabase();
  try {
    for (const id of filmIds) {
      await local.put(toVideoKeys(id).original, Buffer.from(id));
      await database.pool.query(sql`
        insert into videos (id, state, name, origin, content_hash) values (${id}, 'Processed', 'A film', 'file', ${id.padStart(64, '0')})`);
    }
    await local.remove(first.all, 'of no archive');
    await local.remove(second.all, 'of no archive');
    const run = (bucketName: string) =>
      runCommand('commands/move-media.ts', ['to-store'], {
        RUSHES_DATA: join(folder, 'data'),
        DATABASE_URL: database.url,
        RUSHES_S3_ENDPOINT: standIn.settings.endpoint,
        RUSHES_S3_BUCKET: bucketName,
        RUSHES_S3_ACCESS_KEY: 'key',
        RUSHES_S3_SECRET_KEY: 'secret',
      });
    expect(await run('stand-in')).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^6 files copied .+\n0 files copied .+ 6 already there/),
    });
    // The stand-in has one bucket by any name: what is noted of one says nothing of the other.
    expect((await run('another')).output).toMatch(/^6 files copied/);
    const s3 = { ...standIn.settings };
    const machine = await holdMachine(database.pool, { folder: archiveFolderIn(join(folder, 'data')), s3, secrets: undefined });
    expect(await run('stand-in')).toEqual({ exitCode: 1, output: expect.stringMatching(/^The archive already uses this store/) });
    machine.release();
    rmSync(join(folder, 'data', 'media'), { recursive: true });
    expect(await run('stand-in')).toEqual({ exitCode: 1, output: expect.stringMatching(/lacks the originals of 6 of the 6 videos/) });
    expect(standIn.objects.size).toBe(6);
  } finally {
    await database.drop();
  }
});
