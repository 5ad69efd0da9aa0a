import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ArchiveFolder, archiveFolderIn } from './archive-folder.ts';
import { ensureSpace, findFullestDisk, listLocalMedia, stageFile } from './stage-file.ts';
import { sweepLeftovers } from './sweep.ts';

let root: string;
let folder: ArchiveFolder;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rushes-stage-'));
  folder = archiveFolderIn(root);
});
afterEach(() => rm(root, { recursive: true }));

test('a staged file is a faithful copy with its content hash, and the source stays as it is', async () => {
  const content = Buffer.alloc(3_000_000, 'footage');
  await writeFile(join(root, 'source'), content);
  const staged = await stageFile({ folder, store: { isShared: false } }, join(root, 'source'));
  expect(staged.sizeBytes).toBe(content.length);
  expect(staged.contentHash).toBe(createHash('sha256').update(content).digest('hex'));
  expect((await readFile(staged.path)).equals(content)).toBe(true);
  expect((await readFile(join(root, 'source'))).equals(content)).toBe(true);
});

test('a disk that would fall below its reserve refuses with storage_full', async () => {
  await expect(ensureSpace([root], 0, Number.MAX_SAFE_INTEGER / 2)).rejects.toMatchObject({ code: 'storage_full' });
  await expect(ensureSpace([root], 1, 0)).resolves.toBeUndefined();
});

test.runIf(process.platform === 'linux')('media on a disk of their own have to have room as well, but for those in a store', async () => {
  const room = (isShared: boolean) => ensureSpace([root, ...listLocalMedia({ folder, store: { isShared } })], 1, 0);
  await expect(room(false), 'there is none yet').resolves.toBeUndefined();
  // A disk without a byte.
  await symlink('/proc', folder.media);
  await expect(room(false)).rejects.toMatchObject({ code: 'storage_full' });
  expect(await findFullestDisk([root, folder.media])).toEqual({ folder: folder.media, freeBytes: 0, totalBytes: 0 });
  await expect(room(true)).resolves.toBeUndefined();
});

test('leftovers of a crash are swept after a day, fresh ones are left alone whatever date they bear', async () => {
  const dayMs = 24 * 3_600_000;
  for (const left of [folder.staging, folder.work, folder.drafts]) {
    await mkdir(join(left, 'left'), { recursive: true });
    await utimes(join(left, 'left'), new Date(0), new Date(0));
  }
  expect(await sweepLeftovers(folder, { inUse: new Set() })).toBe(0);
  const now = Date.now() + 2 * dayMs;
  expect(await sweepLeftovers(folder, { inUse: new Set(['left']), now }), 'scratch of a step that is being run').toBe(2);
  expect(await sweepLeftovers(folder, { inUse: new Set(), now })).toBe(1);
  expect(await readdir(folder.drafts)).toEqual([]);
});
