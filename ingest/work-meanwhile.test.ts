import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { holdWorkerLease } from '#domain/jobs/worker-lease.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { createSearchableArchive } from '#testing/searchable-archive.ts';
import { untilFound } from './work-meanwhile.ts';

test('an import beside a worker that never indexes makes its films found by itself', { timeout: 30_000 }, async () => {
  const archive = await createSearchableArchive();
  const { pool, address } = archive.database;
  const idleWorker = await holdWorkerLease(pool);
  const film = { id: 'one', title: 'one', lines: [{ start: 1, end: 2, text: 'The heron stands.' }] };
  await createCatalogueVideos(pool, [CatalogueRecord.parse(film)]);
  const files = openArchiveFiles(dirname(archive.index.folder));
  await untilFound({ pool, address, ...files, log: () => {}, helpAfterMs: 0 });
  expect(await archive.found('heron ')).toEqual(['one']);
  idleWorker.release();
  await archive.drop();
});
