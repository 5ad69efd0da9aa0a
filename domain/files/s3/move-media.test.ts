import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMemoryStore } from '#testing/memory-store.ts';
import { type StandInS3, startStandInS3 } from '#testing/stand-in-s3.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openLocalStore } from '../local-store.ts';
import type { FileStore } from '../store.ts';
import { videoKeys } from '../video-keys.ts';
import { moveMedia } from './move-media.ts';
import { openS3Store } from './s3-store.ts';

const [first, second] = [videoKeys('0123456789'), videoKeys('ffffffffff')];
const impatient = { pausesMs: [1], answersWithinMs: 3_000 };

let folder: string;
let standIn: StandInS3;
let local: FileStore;
let bucket: FileStore;
beforeEach(async () => {
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

const move = (from = local, to = bucket) => moveMedia({ from, to, ledger: join(folder, 'moved.jsonl') });

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
  await local.remove(second.all, 'deleted meanwhile');
  expect(await move()).toEqual({ copied: 1, copiedBytes: 14, kept: 1, removed: 1 });
  expect([String(await storedBytes(bucket, first.original)), await bucket.listVideos()]).toEqual(['better footage', ['0123456789']]);
  expect(await move()).toMatchObject({ copied: 0, removed: 0 });
  expect(String(await storedBytes(local, first.original))).toBe('better footage');
});

test('they come back the same way', async () => {
  await move();
  const back = openMemoryStore();
  await moveMedia({ from: bucket, to: back, ledger: join(folder, 'back.jsonl') });
  expect(String(await storedBytes(back, `${first.hls}/master.m3u8`))).toBe('list');
});

test('what comes back as something else is no copy', async () => {
  const wrong: FileStore = { ...bucket, openRange: (key) => local.openRange(key === first.original ? second.original : key) };
  await expect(move(local, wrong)).rejects.toThrow('something else than it was put');
  expect(readFileSync(join(folder, 'moved.jsonl'), { encoding: 'utf8', flag: 'a+' })).not.toContain(first.original);
});
