import { spawnSync } from 'node:child_process';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countFrames, readFrame, readFrameAt, writeFramePack } from './frame-pack.ts';
import { openLocalStore } from './local-store.ts';
import type { FileStore } from './store.ts';
import { toVideoKeys } from './video-keys.ts';

const key = toVideoKeys('0123456789').framePack;
let folder: string;
let store: FileStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rushes-pack-'));
  store = openLocalStore(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Files of these contents. */
async function filesOf(contents: readonly string[]): Promise<string[]> {
  const paths = contents.map((_, n) => join(folder, `${n}.jpg`));
  for (const [n, path] of paths.entries()) await writeFile(path, contents[n] ?? '');
  return paths;
}

test('every frame comes back from the pack as it went in, and there is none past the end', async () => {
  const frames = ['first', '', 'a longer third frame'];
  const paths = await filesOf(frames);
  await writeFramePack(join(folder, 'frames.pack'), paths);
  await store.put(key, { path: join(folder, 'frames.pack') });
  expect(await countFrames(store, key)).toBe(3);
  expect((await Promise.all([0, 1, 2].map((n) => readFrame(store, key, n)))).map(String)).toEqual(frames);
  expect(await Promise.all([-1, 3, 99].map((n) => readFrame(store, key, n)))).toEqual([null, null, null]);
});

test('frames that say when they stand are found by that and by their place, and by no other time', async () => {
  const { shotPack } = toVideoKeys('0123456789');
  await writeFramePack(join(folder, 'shots.pack'), await filesOf(['first', 'a second one']), [300, 4_500]);
  await store.put(shotPack, { path: join(folder, 'shots.pack') });
  const at = async (atMs: number) => (await readFrameAt(store, shotPack, atMs))?.toString();
  expect(await Promise.all([300, 4_500, 0, 299, 4_501].map(at))).toEqual(['first', 'a second one', undefined, undefined, undefined]);
  expect([await countFrames(store, shotPack), String(await readFrame(store, shotPack, 1))]).toEqual([2, 'a second one']);
  // One that says no times, and one that is not there.
  expect([await readFrameAt(store, key, 0), await readFrameAt(store, toVideoKeys('9876543210').shotPack, 0)]).toEqual([null, null]);
});

test('a video without frames has none, and a file that is no pack is refused', async () => {
  expect(await readFrame(store, toVideoKeys('9876543210').framePack, 0)).toBe(null);
  const other = toVideoKeys('00000000ab').framePack;
  await store.put(other, Buffer.from('hello, I am something else'));
  await expect(countFrames(store, other)).rejects.toThrow('not a frame pack');
});

test('a file of which the disk took only a part is never taken for whole', async () => {
  const frame = join(folder, 'large.jpg');
  await writeFile(frame, Buffer.alloc(60_000));
  const source = (path: string) => JSON.stringify(resolve(import.meta.dirname, path));
  const made = (name: string) => JSON.stringify(join(folder, name));
  /** Does this where no file may grow beyond 8 kB: the last write that begins below takes what fits. */
  const failure = (script: string) =>
    spawnSync('sh', ['-c', 'ulimit -f 16; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script], { encoding: 'utf8' })
      .stderr;
  expect(failure(`(await import(${source('frame-pack.ts')})).writeFramePack(${made('cut.pack')}, [${made('large.jpg')}])`)).toContain(
    'EFBIG',
  );
  expect(failure(`(await import(${source('../system/durable-file.ts')})).createOnce(${made('once')}, 'x'.repeat(60_000))`)).toContain(
    'EFBIG',
  );
  await expect(access(join(folder, 'once'))).rejects.toThrow('ENOENT');
});
