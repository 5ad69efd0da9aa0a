import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFramePack, writeFramePack } from './frame-pack.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rushes-pack-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('every frame comes back from the pack as it went in, and a second past the end shows the last frame', async () => {
  const frames = ['first', '', 'a longer third frame'];
  const paths = await Promise.all(
    frames.map(async (content, n) => {
      await writeFile(join(folder, `${n}.jpg`), content);
      return join(folder, `${n}.jpg`);
    }),
  );
  await writeFramePack(join(folder, 'frames.pack'), paths);
  const pack = await openFramePack(join(folder, 'frames.pack'));
  expect(pack.count).toBe(3);
  expect((await Promise.all([0, 1, 2, 99].map((n) => pack.read(n)))).map(String)).toEqual([...frames, 'a longer third frame']);
  await pack.close();
});

test('a file that is no pack is refused', async () => {
  await writeFile(join(folder, 'other'), 'hello, I am something else');
  await expect(openFramePack(join(folder, 'other'))).rejects.toThrow('not a frame pack');
});
