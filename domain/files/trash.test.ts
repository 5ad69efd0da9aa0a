import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realStoreOpener, storeOpeners } from '#testing/store-openers.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import type { FileStore } from './store.ts';
import { toIndexKey } from './store-key.ts';
import { readEntries } from './trash-note.ts';
import { toVideoKeys } from './video-keys.ts';

const { all, original, hls, poster } = toVideoKeys('0123456789');

test('however much lies in the trash, a few entries are read at a time, and told in their order', async () => {
  const names = Array.from({ length: 100 }, (_, n) => String(n).padStart(3, '0'));
  let [reading, most] = [0, 0];
  const read = async (name: string) => {
    reading += 1;
    most = Math.max(most, reading);
    await new Promise(setImmediate);
    reading -= 1;
    return name.endsWith('7') ? null : { name, key: all, reason: '', at: new Date(0), sizeBytes: 1 };
  };
  const entries = await readEntries(names, { videoId: undefined, read });
  expect(entries.map(({ name }) => name)).toEqual(names.filter((name) => !name.endsWith('7')));
  expect(most).toBe(8);
});

describe.each([...storeOpeners, realStoreOpener])('the trash of a store in %s', (_, opener) => {
  let scratch: string;
  let open: () => FileStore;
  let store: FileStore;
  beforeEach(async ({ skip }) => {
    scratch = mkdtempSync(join(tmpdir(), 'rushes-trash-'));
    open = (await opener(scratch)) ?? skip('no object gateway can be started here');
    store = open();
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const textOf = async (key: string) => String(await storedBytes(store, key));
  const keysOf = async (prefix: string) => (await Array.fromAsync(store.list(prefix))).map(({ key }) => key).sort();

  test('holds what was removed with its reason, for whoever opens the store later, until it is put back or purged', async () => {
    await store.put(original, Buffer.from('footage'));
    await store.put(poster, Buffer.from('picture'));
    const taken = await store.remove(all, 'nobody knows it');
    expect(taken).toMatchObject({ key: all, reason: 'nobody knows it', sizeBytes: 14 });
    expect([await store.stat(original), await store.listVideos()]).toEqual([null, []]);
    store = open();
    expect(await store.trash.list()).toEqual([taken]);
    await store.trash.putBack(taken?.name ?? '');
    expect([await textOf(original), await textOf(poster), await store.trash.list()]).toEqual(['footage', 'picture', []]);
    const again = await store.remove(all, 'for good');
    await store.trash.purge(again?.name ?? '');
    expect([await store.trash.list(), await keysOf('media')]).toEqual([[], []]);
    await expect(store.trash.putBack(again?.name ?? '')).rejects.toThrow('in the trash');
  });

  test('tells of one video alone where it is named', async () => {
    for (const id of ['0123456789', 'abcdef0123']) {
      await store.put(toVideoKeys(id).original, Buffer.from(id));
      await store.remove(toVideoKeys(id).all, id);
    }
    expect((await store.trash.list('abcdef0123')).map(({ reason }) => reason)).toEqual(['abcdef0123']);
    expect([await store.trash.list('0000000000'), (await store.trash.list()).length]).toEqual([[], 2]);
  });

  test('takes one file and leaves the others; the last one takes its video with it', async () => {
    const made = join(scratch, 'made');
    mkdirSync(join(made, '720p'), { recursive: true });
    writeFileSync(join(made, 'master.m3u8'), 'list');
    writeFileSync(join(made, '720p', 'one.m4s'), 'segment');
    await store.putFolder(hls, { path: made });
    await store.remove(`${hls}/master.m3u8`, 'wrong');
    expect(await keysOf(all)).toEqual([`${hls}/720p/one.m4s`]);
    const last = await store.remove(`${hls}/720p/one.m4s`, 'wrong as well');
    expect(await store.listVideos()).toEqual([]);
    await store.trash.putBack(last?.name ?? '');
    expect(await textOf(`${hls}/720p/one.m4s`)).toBe('segment');
  });

  test('holds a copy of what is used on, which outlives what comes in its place', async () => {
    await store.put(original, Buffer.from('old'));
    const copied = await store.copyToTrash(original, 'another comes');
    expect([copied, await textOf(original)]).toEqual([expect.objectContaining({ key: original, sizeBytes: 3 }), 'old']);
    await store.put(original, Buffer.from('another'));
    await store.remove(original, 'gone');
    await store.trash.putBack(copied?.name ?? '');
    expect([await textOf(original), await store.copyToTrash(hls, 'none')]).toEqual(['old', null]);
  });

  test('puts a file back in the place of another where that is asked for', async () => {
    await store.put(original, Buffer.from('old'));
    const copied = await store.copyToTrash(original, 'another comes');
    await store.put(original, Buffer.from('another'));
    await store.trash.putBack(copied?.name ?? '', { isOver: true });
    expect([await textOf(original), await store.trash.list()]).toEqual(['old', []]);
  });

  test('takes nothing where nothing is', async () => {
    expect([await store.remove(all, 'gone'), await store.trash.list()]).toEqual([null, []]);
  });

  test('holds every version of what was removed again and again', async () => {
    for (const version of ['one', 'three']) {
      await store.put(original, Buffer.from(version));
      await store.remove(original, version);
    }
    const entries = await store.trash.list();
    expect(entries.map(({ reason, sizeBytes }) => [reason, sizeBytes]).sort()).toEqual([
      ['one', 3],
      ['three', 5],
    ]);
    expect(new Set(entries.map(({ name }) => name)).size).toBe(2);
  });

  test('loses all that was ever taken of one video for good, and nothing of another, and no entry in a sweep', async () => {
    const other = toVideoKeys('1234567890').original;
    for (const key of [original, other]) await store.put(key, Buffer.from('one'));
    await store.remove(original, 'first');
    await store.remove(other, 'another');
    await store.put(original, Buffer.from('two'));
    await store.remove(all, 'second');
    await open().trash.sweep(Date.now() + 2 * 86_400_000);
    expect(await store.trash.list()).toHaveLength(3);
    await store.trash.purgeOf('0123456789');
    expect((await store.trash.list()).map(({ key }) => key)).toEqual([other]);
    await store.trash.purgeOf('0123456789');
  });

  test('keeps nothing of what is erased, and what it holds of that already until that is purged', async () => {
    await store.put(original, Buffer.from('old'));
    await store.copyToTrash(original, 'another comes');
    await store.put(poster, Buffer.from('picture'));
    await store.erase(poster);
    expect([await keysOf('media'), (await store.trash.list()).map(({ key }) => key)]).toEqual([[original], [original]]);
    await store.erase(all);
    await store.erase(all);
    expect([await keysOf('media'), await store.listVideos(), await store.trash.list()]).toEqual([[], [], [expect.anything()]]);
    await expect(store.erase(toIndexKey('g-0a1b2c3d', 'ab'.repeat(32)))).rejects.toThrow();
  });

  test('puts nothing back over what is there again, and gives nothing for names that it did not give', async () => {
    await store.put(original, Buffer.from('old'));
    const file = await store.remove(original, 'replaced');
    await store.put(poster, Buffer.from('picture'));
    const folder = await store.remove(all, 'nobody knows it');
    await store.put(original, Buffer.from('new'));
    for (const taken of [file, folder]) await expect(store.trash.putBack(taken?.name ?? '')).rejects.toThrow('is there again');
    expect(await keysOf('media')).toEqual([original]);
    expect(await textOf(original)).toBe('new');
    for (const name of ['', '..', '../media', '2026-01-01T00-00-00-0123456789-abcdef']) {
      await expect(store.trash.purge(name)).rejects.toThrow('in the trash');
      await expect(store.trash.putBack(name)).rejects.toThrow('in the trash');
    }
    expect(await store.trash.list()).toHaveLength(2);
  });
});
