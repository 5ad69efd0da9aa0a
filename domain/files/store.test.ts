import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realStoreOpener, storeOpeners } from '#testing/store-openers.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import type { ByteRange, FileStore } from './store.ts';
import { toIndexKey, toPartKey } from './store-key.ts';
import { toVideoKeys } from './video-keys.ts';

const { all, original, hls, poster, sidecars } = toVideoKeys('0123456789');
const other = toVideoKeys('ffffffffff');
const part = toIndexKey('g-0a1b2c3d', 'ab'.repeat(32));

describe.each([...storeOpeners, realStoreOpener])('a store in %s', (_, opener) => {
  let scratch: string;
  let open: () => FileStore;
  let store: FileStore;
  beforeEach(async ({ skip }) => {
    scratch = mkdtempSync(join(tmpdir(), 'rushes-store-'));
    open = (await opener(scratch)) ?? skip('no object gateway can be started here');
    store = open();
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const textOf = async (key: string) => String(await storedBytes(store, key));
  const keysOf = async (prefix: string) => (await Array.fromAsync(store.list(prefix))).map(({ key }) => key).sort();

  /** A folder as a tool leaves it. */
  function folderOf(files: Record<string, string>): { path: string } {
    const path = mkdtempSync(join(scratch, 'made-'));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(path, name, '..'), { recursive: true });
      writeFileSync(join(path, name), content);
    }
    return { path };
  }

  describe('put', () => {
    test('keeps bytes, for whoever opens the store later as well', async () => {
      await store.put(poster, Buffer.from('picture'));
      store = open();
      expect(await textOf(poster)).toBe('picture');
      const found = await store.stat(poster);
      expect(found).toMatchObject({ key: poster, sizeBytes: 7 });
      expect(Math.abs((found?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    });

    test('replaces what had the key, also by less, and keeps a file of no bytes', async () => {
      for (const content of ['first version', 'second', '']) {
        await store.put(poster, Buffer.from(content));
        expect([await textOf(poster), (await store.stat(poster))?.sizeBytes]).toEqual([content, content.length]);
      }
    });

    test('keeps what the bytes were, whatever becomes of them afterwards', async () => {
      const bytes = Buffer.from('picture');
      await store.put(poster, bytes);
      bytes.fill(0);
      expect(await textOf(poster)).toBe('picture');
    });

    test('moves a local file in', async () => {
      const { path } = folderOf({ staged: 'footage' });
      await store.put(original, { path: join(path, 'staged') });
      expect([await textOf(original), existsSync(join(path, 'staged'))]).toEqual(['footage', false]);
    });

    test('copies a local file that stays', async () => {
      const { path } = folderOf({ table: 'rows' });
      await store.put(part, { copyOf: join(path, 'table') });
      writeFileSync(join(path, 'table'), 'more rows');
      expect(await textOf(part)).toBe('rows');
      await expect(store.put(part, { copyOf: join(path, 'nowhere') })).rejects.toThrow('ENOENT');
      expect(await textOf(part)).toBe('rows');
    });

    test('of a file that is not there fails, and leaves what had the key', async () => {
      await store.put(original, Buffer.from('footage'));
      await expect(store.put(original, { path: join(scratch, 'nowhere') })).rejects.toThrow('ENOENT');
      expect(await textOf(original)).toBe('footage');
      expect(await keysOf('media')).toEqual([original]);
    });

    test('twice at once to one key leaves one of both whole, and readers never see a mixture', async () => {
      const versions = [Buffer.alloc(3_000_000, 'a'), Buffer.alloc(2_000_000, 'b')];
      await store.put(original, Buffer.alloc(2_500_000, 'c'));
      let isOver = false;
      const reading = (async () => {
        const seen: string[] = [];
        while (!isOver) seen.push(letterOf(await storedBytes(store, original)));
        return seen;
      })();
      for (let round = 0; round < 10; round++) await Promise.all(versions.map((bytes) => store.put(original, bytes)));
      isOver = true;
      expect(new Set(await reading)).not.toContain('a mixture');
      expect(['3000000 a', '2000000 b']).toContain(letterOf(await storedBytes(store, original)));
    });
  });

  describe('putFolder', () => {
    test('takes the place of everything below its key, and of nothing else', async () => {
      await store.put(poster, Buffer.from('picture'));
      await store.putFolder(hls, folderOf({ 'master.m3u8': 'old', '720p/old.m4s': 'old' }));
      const made = folderOf({ 'master.m3u8': 'new', '720p/new.m4s': 'new' });
      await store.putFolder(hls, made);
      expect(existsSync(made.path)).toBe(false);
      store = open();
      expect(await keysOf(hls)).toEqual([`${hls}/720p/new.m4s`, `${hls}/master.m3u8`]);
      expect([await textOf(`${hls}/master.m3u8`), await textOf(poster)]).toEqual(['new', 'picture']);
    });

    test('of a folder that is not there fails, and leaves what lay below the key', async () => {
      await store.putFolder(hls, folderOf({ 'master.m3u8': 'old' }));
      await expect(store.putFolder(hls, { path: join(scratch, 'nowhere') })).rejects.toThrow('ENOENT');
      expect(await keysOf('media')).toEqual([`${hls}/master.m3u8`]);
    });
  });

  describe('openRange', () => {
    test.each<[string, ByteRange | undefined, string]>([
      ['everything', undefined, 'abcdefghij'],
      ['the beginning', { start: 0, end: 3 }, 'abc'],
      ['the middle', { start: 2, end: 5 }, 'cde'],
      ['one byte', { start: 9, end: 10 }, 'j'],
      ['all of it by name', { start: 0, end: 10 }, 'abcdefghij'],
      ['more than there is', { start: 8, end: 30 }, 'ij'],
      ['no byte', { start: 4, end: 4 }, ''],
      ['an end before its start', { start: 5, end: 2 }, ''],
      ['what begins at the end', { start: 10, end: 12 }, ''],
      ['what lies past the end', { start: 20, end: 30 }, ''],
    ])('reads %s as bytes and as a stream', async (_, range, expected) => {
      await store.put(poster, Buffer.from('abcdefghij'));
      const [bytes, stream] = [await store.openRange(poster, range), await store.openRange(poster, range)];
      expect(bytes?.sizeBytes).toBe(10);
      expect(String(await bytes?.bytes())).toBe(expected);
      expect(stream && String(await buffer(stream.stream()))).toBe(expected);
    });

    test('of a file of no bytes reads none', async () => {
      await store.put(poster, Buffer.alloc(0));
      const found = await store.openRange(poster);
      expect([found?.sizeBytes, (await found?.bytes())?.length]).toEqual([0, 0]);
    });

    test('of many bytes streams all of them', async () => {
      const bytes = Buffer.from(Array.from({ length: 500_000 }, (_, n) => n % 251));
      await store.put(original, bytes);
      const found = await store.openRange(original, { start: 100_000, end: 400_001 });
      expect(found && (await buffer(found.stream())).equals(bytes.subarray(100_000, 400_001))).toBe(true);
    });
  });

  test.each([
    ['that nothing has', original],
    ['of a folder', hls],
    ['below a file', `${poster}/below`],
  ])('a key %s is no file: null', async (_, key) => {
    await store.put(poster, Buffer.from('picture'));
    await store.putFolder(hls, folderOf({ 'master.m3u8': 'list' }));
    expect([await store.stat(key), await store.openRange(key)]).toEqual([null, null]);
    await expect(store.withLocalCopy(key, () => Promise.resolve())).rejects.toThrow(`There is no ${key}.`);
  });

  describe('list', () => {
    test('names every file below a key with its size, and all media', async () => {
      await store.put(original, Buffer.from('one'));
      await store.put(`${sidecars}/facts.json`, Buffer.from('{}'));
      await store.put(other.original, Buffer.from('two'));
      expect(await keysOf('media')).toEqual([original, `${sidecars}/facts.json`, other.original].sort());
      expect(await keysOf(all)).toEqual([original, `${sidecars}/facts.json`].sort());
      expect(await Array.fromAsync(store.list(sidecars))).toMatchObject([{ key: `${sidecars}/facts.json`, sizeBytes: 2 }]);
      expect((await store.listVideos()).sort()).toEqual(['0123456789', 'ffffffffff']);
    });

    test('is empty where nothing is, and below a file', async () => {
      expect([await keysOf('media'), await keysOf(all), await store.listVideos()]).toEqual([[], [], []]);
      await store.put(poster, Buffer.from('picture'));
      expect([await keysOf(poster), await keysOf(`${all}/post`)]).toEqual([[], []]);
    });

    test('goes on while files come and go', async () => {
      const names = Array.from({ length: 20 }, (_, n) => `${sidecars}/${n}.txt`);
      for (const name of names) await store.put(name, Buffer.from('text'));
      const seen: string[] = [];
      for await (const { key } of store.list(all)) {
        seen.push(key);
        if (seen.length === 1) await store.remove(names.find((name) => name !== key) ?? '', 'gone meanwhile');
      }
      expect(seen.length).toBeGreaterThanOrEqual(19);
    });
  });

  test('a tool is handed a local file with the same bytes, for as long as it works', async () => {
    await store.put(original, Buffer.from('footage'));
    const read = await store.withLocalCopy(original, (path) => Promise.resolve(readFileSync(path, 'utf8')));
    expect(read).toBe('footage');
    const failing = store.withLocalCopy(original, () => Promise.reject(new Error('the tool failed')));
    await expect(failing).rejects.toThrow('the tool failed');
    expect(await textOf(original)).toBe('footage');
  });

  test('what the index is made of is kept beside the media, listed, and discarded for good; media never are', async () => {
    await store.put(original, Buffer.from('footage'));
    await store.put(part, Buffer.from('rows'));
    store = open();
    expect([await textOf(part), await keysOf('index'), await keysOf('index/g-0a1b2c3d')]).toEqual(['rows', [part], [part]]);
    expect([await keysOf('media'), await store.listVideos()]).toEqual([[original], ['0123456789']]);
    await expect(store.discard(original)).rejects.toThrow('media are never discarded');
    await expect(store.remove(part, 'no reason')).rejects.toThrow('not a key of media');
    await expect(store.putFolder(part, folderOf({ file: 'content' }))).rejects.toThrow('not a key of media');
    for (let times = 0; times < 2; times++) await store.discard(part);
    expect([await keysOf('index'), await textOf(original), await store.trash.list()]).toEqual([[], 'footage', []]);
  });

  test('parts of uploads are kept beside the media, listed of each and of all, and discarded for good', async () => {
    const [first, other] = ['0', 'f'].map((digit) => toPartKey(digit.repeat(32), { start: 0, end: 4 }));
    for (const key of [first, other]) await store.put(key ?? '', Buffer.from('part'));
    store = open();
    expect([await textOf(first ?? ''), await keysOf(`parts/${'0'.repeat(32)}`), await keysOf('parts')]).toEqual([
      'part',
      [first],
      [first, other],
    ]);
    expect([await keysOf('media'), await keysOf('index'), await store.listVideos()]).toEqual([[], [], []]);
    await expect(store.remove(first ?? '', 'no reason')).rejects.toThrow('not a key of media');
    for (let times = 0; times < 2; times++) await store.discard(first ?? '');
    expect([await keysOf('parts'), await store.trash.list()]).toEqual([[other], []]);
  });

  test.each([
    '',
    `parts/${'0'.repeat(31)}/0-4`,
    `parts/${'0'.repeat(32)}/../../secrets.json`,
    'index/../media/0123456789/original',
    'index/g-1/../../secrets.json',
    'index/current.json',
    'media',
    'media/..',
    'media/0123456789/../../secrets.json',
    'media/0123456789/.hidden',
    'media/0123456789//original',
    'media/0123456789/original/',
    'media/012345678g/original',
    'media/0123456789/a\\b',
    'media/0123456789/a\0b',
    '/etc/passwd',
    'trash/0123456789',
  ])('%j is no key for anything', async (key) => {
    const { path } = folderOf({ file: 'content' });
    const tries = [
      () => store.put(key, Buffer.from('x')),
      () => store.put(key, { path: join(path, 'file') }),
      () => store.putFolder(key, { path }),
      () => store.openRange(key),
      () => store.stat(key),
      () => store.remove(key, 'no reason'),
      () => store.discard(key),
      () => store.withLocalCopy(key, () => Promise.resolve()),
      // All media may be listed, and nothing else that is none.
      async () => await Array.fromAsync(store.list(key === 'media' ? '' : key)),
    ];
    for (const attempt of tries) await expect((async () => await attempt())()).rejects.toThrow('not a key');
    expect(existsSync(join(path, 'file'))).toBe(true);
    expect(await keysOf('media')).toEqual([]);
  });
});

/** Of bytes that are one letter over and over: how many, and which. */
function letterOf(bytes: Buffer): string {
  const first = bytes.subarray(0, 1);
  return bytes.equals(Buffer.alloc(bytes.length, first)) ? `${bytes.length} ${first}` : 'a mixture';
}
