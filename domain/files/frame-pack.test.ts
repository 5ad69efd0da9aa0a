import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countFrames, readFrame, writeFramePack } from './frame-pack.ts';
import { openLocalStore } from './local-store.ts';
import type { FileStore } from './store.ts';
import { videoKeys } from './video-keys.ts';

const key = videoKeys('0123456789').framePack;
let folder: string;
let store: FileStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rushes-pack-'));
  store = openLocalStore(folder);
});
afterAll(() => rm(folder, { recursive: true }));

test('every frame comes back from the pack as it went in, and there is none past the end', async () => {
  const frames = ['first', '', 'a longer third frame'];
  const paths = await Promise.all(
    frames.map(async (content, n) => {
      await writeFile(join(folder, `${n}.jpg`), content);
      return join(folder, `${n}.jpg`);
    }),
  );
  await writeFramePack(join(folder, 'frames.pack'), paths);
  await store.put(key, { path: join(folder, 'frames.pack') });
  expect(await countFrames(store, key)).toBe(3);
  expect((await Promise.all([0, 1, 2].map((n) => readFrame(store, key, n)))).map(String)).toEqual(frames);
  expect(await Promise.all([-1, 3, 99].map((n) => readFrame(store, key, n)))).toEqual([null, null, null]);
});

test('a video without frames has none, and a file that is no pack is refused', async () => {
  expect(await readFrame(store, videoKeys('9876543210').framePack, 0)).toBe(null);
  const other = videoKeys('00000000ab').framePack;
  await store.put(other, Buffer.from('hello, I am something else'));
  await expect(countFrames(store, other)).rejects.toThrow('not a frame pack');
});
