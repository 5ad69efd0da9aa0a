import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openLocalStore } from './local-store.ts';
import type { FileStore } from './store.ts';
import { toVideoKeys } from './video-keys.ts';

const { all, hls, original, poster } = toVideoKeys('0123456789');
let root: string;
let store: FileStore;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rushes-store-'));
  store = openLocalStore(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('tools are handed the file itself: nothing is copied', async () => {
  await store.put(original, Buffer.from('footage'));
  const path = await store.withLocalCopy(original, (handed) => Promise.resolve(handed));
  expect(path).toBe(join(root, 'media', '01', '0123456789', 'original'));
  expect(existsSync(path)).toBe(true);
});

test('a draft that a crash has left is no file of the store', async () => {
  await store.put(original, Buffer.from('footage'));
  writeFileSync(join(root, 'media', '.drafts', 'cut-off'), 'half');
  expect((await Array.fromAsync(store.list('media'))).map(({ key }) => key)).toEqual([original]);
  expect(await store.listVideos()).toEqual(['0123456789']);
});

test('what could not be put in its place leaves no draft', async () => {
  const [place, scratch] = [join(root, 'media', '01'), join(root, 'scratch')];
  mkdirSync(join(place, '0123456789', 'original'), { recursive: true });
  await expect(store.put(original, Buffer.from('footage'))).rejects.toThrow();
  rmSync(place, { recursive: true });
  writeFileSync(place, 'no folder');
  mkdirSync(scratch);
  writeFileSync(join(scratch, 'index.m3u8'), '#EXTM3U');
  await expect(store.putFolder(hls, { path: scratch })).rejects.toThrow();
  expect(readdirSync(join(root, 'media', '.drafts'))).toEqual([]);
});

test('what is purged leaves nothing in the folder of the trash', async () => {
  await store.put(original, Buffer.from('footage'));
  const taken = await store.remove(all, 'for good');
  await store.trash.purge(taken?.name ?? '');
  expect(readdirSync(join(root, 'trash'))).toEqual([]);
});

test('what lies on another disk than the trash is taken there where that has room, and stays whole where it has none', async ({ skip }) => {
  const elsewhere = await mkdtemp('/dev/shm/rushes-media-').catch(() => skip('no second disk here'));
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  if (statSync(elsewhere).dev === statSync(root).dev) skip('no second disk here');
  symlinkSync(elsewhere, join(root, 'media'));
  await store.put(original, Buffer.from('footage'));
  await store.put(poster, Buffer.from('picture'));
  const taken = await store.remove(original, 'replaced');
  expect([taken?.sizeBytes, await store.stat(original)]).toEqual([7, null]);
  await store.trash.putBack(taken?.name ?? '');
  expect(String(await storedBytes(store, original))).toBe('footage');

  // More than any disk has, and nothing is written for it.
  truncateSync(join(elsewhere, '01', '0123456789', 'original'), 2 ** 52);
  for (const take of [store.remove, store.copyToTrash])
    await expect(take(original, 'refused')).rejects.toMatchObject({ code: 'storage_full' });
  expect([(await store.stat(original))?.sizeBytes, await store.trash.list()]).toEqual([2 ** 52, []]);
  await store.erase(all);
  expect([await store.listVideos(), await store.trash.list()]).toEqual([[], []]);
});

test('a note in the trash whose file never came there is no entry: the file lies where it was', async () => {
  await store.put(original, Buffer.from('footage'));
  const name = '2026-01-01T00-00-00-0123456789-abcdef';
  mkdirSync(join(root, 'trash', name), { recursive: true });
  writeFileSync(join(root, 'trash', name, 'taken.json'), JSON.stringify({ key: all, reason: 'cut off', at: new Date() }));
  utimesSync(join(root, 'trash', name), 0, 0);
  expect(await store.trash.list()).toEqual([]);
  mkdirSync(join(root, 'trash', '2026-01-01T00-00-00-0123456789-bbbbbb', 'content'), { recursive: true });
  await store.trash.sweep();
  expect(readdirSync(join(root, 'trash'))).toEqual([]);
  expect(String(await storedBytes(store, original))).toBe('footage');
});
