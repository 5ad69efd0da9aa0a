import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { sql } from '#domain/db/sql.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { holdWorkerLease, isWorkerAlive } from '#domain/jobs/worker-lease.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { createSearchableArchive } from '#testing/searchable-archive.ts';
import { openTestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { untilFound, whileSomebodyWorks } from './work-meanwhile.ts';

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

test('an import that cannot work on its films ends with why, and holds nobody else up', { timeout: 60_000 }, async () => {
  const { database, context, close } = await openTestIngest();
  const { pool, address } = database;
  await pool.query(sql`alter table steps rename to steps_of_before`);
  const ingest = { context, address, queue: context.queue };
  await expect(
    whileSomebodyWorks(
      ingest,
      () => {},
      () => new Promise(() => {}),
    ),
  ).rejects.toThrow('relation "steps" does not exist');
  await until(async () => !(await isWorkerAlive(pool)));
  await close();
});
