import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { inTransaction } from '#domain/db/database.ts';
import { sql } from '#domain/db/sql.ts';
import { ingestQueue, understandQueue } from '#domain/jobs/ingest-queue.ts';
import { findSteps, planSteps } from '#domain/videos/record-step.ts';
import { addFilm } from '#testing/add-film.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { importFile } from './footage/import-file.ts';
import type { Step } from './step.ts';

test('a machine that only understands films goes on while others wait to be made playable, or are by other machines', async () => {
  const archive = await openTestIngest(undefined, { steps: [looking], classes: ['understood'] });
  onTestFinished(() => archive.close());
  const path = join(archive.scratch, 'film.mp4');
  await writeFile(path, 'as it came');
  const { videoId } = await importFile(archive.context, path);
  await untilLookedAt(archive, videoId);
  expect(await archive.context.queue.hasWork([ingestQueue])).toBe(true);
});

test('a machine that does both goes on understanding while another makes a film playable that it cannot help with', async () => {
  const archive = await openTestIngest(undefined, { steps: [looking] });
  onTestFinished(() => archive.close());
  const { pool, queue } = archive.context;
  await inTransaction(pool, async (db) => {
    await queue.enqueue(ingestQueue, { videoId: 'elsewhere' }, { db });
    await db.query(sql`update jobs.job set state = 'active', started_on = now(), heartbeat_on = now() where name = ${ingestQueue}`);
  });
  await untilLookedAt(archive, await addFilm(archive.context, { name: 'film' }));
  const { rows } = await pool.query(sql`select state from jobs.job where name = ${ingestQueue}`);
  expect(rows).toEqual([{ state: 'active' }]);
});

const looking: Step = {
  name: 'looking',
  version: 1,
  optional: true,
  class: 'understood',
  share: 100,
  needs: [],
  Result: z.null(),
  run: () => Promise.resolve({ is: 'done', result: null }),
};

/** Gives a film to be understood, and waits until it is. */
async function untilLookedAt({ context: { pool, queue } }: TestIngest, videoId: string): Promise<void> {
  await pool.query(sql`update videos set state = 'Processed', published_at = now() where id = ${videoId}`);
  await planSteps(pool, videoId, [looking.name]);
  await queue.enqueue(understandQueue, { videoId });
  const isDone = async () => (await findSteps(pool, videoId)).some(({ step, state }) => step === looking.name && state === 'done');
  await until(isDone, { withinMs: 20_000 });
}
