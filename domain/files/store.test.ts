import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLocalStore } from './local-store.ts';
import { readStored } from './read-stored.ts';
import type { FileStore } from './store.ts';
import { videoKeys } from './video-keys.ts';

const { all, original, hls, poster, sidecars } = videoKeys('0123456789');
let root: string;
let store: FileStore;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rushes-store-'));
  store = openLocalStore(join(root, 'data'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('what is put comes back, whole and in parts, and a later version takes its place', async () => {
  await store.put(poster, Buffer.from('first version'));
  await store.put(poster, Buffer.from('abcdefghij'));
  expect(String(await readStored(store, poster))).toBe('abcdefghij');
  expect(await store.stat(poster)).toMatchObject({ key: poster, sizeBytes: 10 });
  const part = await store.openRange(poster, { start: 2, end: 5 });
  expect([part?.sizeBytes, String(await part?.bytes()), await text(part?.stream() ?? Readable.from([]))]).toEqual([10, 'cde', 'cde']);
  const beyond = await store.openRange(poster, { start: 20, end: 30 });
  expect([String(await beyond?.bytes()), await text(beyond?.stream() ?? Readable.from([]))]).toEqual(['', '']);
});

test('a local file is moved in, and tools that read only files are handed one', async () => {
  writeFileSync(join(root, 'staged'), 'footage');
  await store.put(original, { path: join(root, 'staged') });
  expect(existsSync(join(root, 'staged'))).toBe(false);
  expect(await store.withLocalCopy(original, (path) => Promise.resolve(existsSync(path)))).toBe(true);
});

test('a folder takes the place of everything below its key', async () => {
  for (const name of ['old', 'new']) {
    mkdirSync(join(root, name, '720p'), { recursive: true });
    writeFileSync(join(root, name, 'master.m3u8'), name);
    writeFileSync(join(root, name, '720p', `${name}.m4s`), name);
    await store.putFolder(hls, { path: join(root, name) });
  }
  expect((await Array.fromAsync(store.list(hls))).map(({ key }) => key).sort()).toEqual([`${hls}/720p/new.m4s`, `${hls}/master.m3u8`]);
});

test('what is not there is null, in a list nothing, and nothing to remove', async () => {
  expect([await store.stat(original), await store.openRange(original), await store.remove(all, 'gone')]).toEqual([null, null, null]);
  expect([await Array.fromAsync(store.list(all)), await store.listVideos(), await store.trash.list()]).toEqual([[], [], []]);
});

test('the list of all holds every video, and no draft that a crash has left', async () => {
  const other = videoKeys('ffffffffff');
  await store.put(original, Buffer.from('one'));
  await store.put(`${sidecars}/facts.json`, Buffer.from('{}'));
  await store.put(other.original, Buffer.from('two'));
  writeFileSync(join(root, 'data', 'media', '.drafts', 'cut-off'), 'half');
  const keys = (await Array.fromAsync(store.list('media'))).map(({ key }) => key);
  expect(keys.sort()).toEqual([original, `${sidecars}/facts.json`, other.original].sort());
  expect((await store.listVideos()).sort()).toEqual(['0123456789', 'ffffffffff']);
});

test.each([
  '',
  'media',
  'media/..',
  'media/0123456789/../../secrets.json',
  'media/0123456789/.hidden',
  'media/0123456789//original',
  '/etc/passwd',
])('%j is no key', async (key) => {
  await expect(store.put(key, Buffer.from('x'))).rejects.toThrow('not a key');
});

test('what is removed lies in the trash with its reason until it is put back or purged', async () => {
  await store.put(original, Buffer.from('footage'));
  await store.put(poster, Buffer.from('picture'));
  const taken = await store.remove(all, 'nobody knows it');
  expect(taken).toMatchObject({ key: all, reason: 'nobody knows it', sizeBytes: 14 });
  expect(await store.stat(original)).toBe(null);
  expect(await store.trash.list()).toEqual([taken]);
  await store.trash.putBack(taken?.name ?? '');
  expect(String(await readStored(store, original))).toBe('footage');
  expect(await store.trash.list()).toEqual([]);
  const again = await store.remove(all, 'for good');
  await store.trash.purge(again?.name ?? '');
  expect(await store.trash.list()).toEqual([]);
  expect(readdirSync(join(root, 'data', 'trash'))).toEqual([]);
});

test('nothing is put back over what is there again, and names that the trash did not give reach nothing', async () => {
  await store.put(original, Buffer.from('old'));
  const taken = await store.remove(original, 'replaced');
  await store.put(original, Buffer.from('new'));
  await expect(store.trash.putBack(taken?.name ?? '')).rejects.toThrow('is there again');
  expect(String(await readStored(store, original))).toBe('new');
  for (const name of ['..', '../media', '2026-01-01T00-00-00-0123456789-abcdef']) {
    await expect(store.trash.purge(name)).rejects.toThrow('The trash holds no');
  }
  expect(await store.trash.list()).toHaveLength(1);
});

test('a note in the trash whose file never came there is no entry: the file lies where it was', async () => {
  await store.put(original, Buffer.from('footage'));
  const name = '2026-01-01T00-00-00-0123456789-abcdef';
  mkdirSync(join(root, 'data', 'trash', name), { recursive: true });
  writeFileSync(join(root, 'data', 'trash', name, 'taken.json'), JSON.stringify({ key: all, reason: 'cut off', at: new Date() }));
  utimesSync(join(root, 'data', 'trash', name), 0, 0);
  expect(await store.trash.list()).toEqual([]);
  expect(String(await readStored(store, original))).toBe('footage');
});
