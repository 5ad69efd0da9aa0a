import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { sql } from '#domain/db/sql.ts';
import { ingestQueue, understandQueue } from '#domain/jobs/ingest-queue.ts';
import { findSteps, planSteps } from '#domain/videos/record-step.ts';
import { openTestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { importFile } from './footage/import-file.ts';
import type { Step } from './step.ts';

test('a machine that only understands films goes on while others wait to be made playable, or are by other machines', async () => {
  const kind = { version: 1, optional: true, class: 'understood', share: 100, needs: [], Result: z.null() } as const;
  const looking: Step = { ...kind, name: 'looking', run: () => Promise.resolve({ is: 'done', result: null }) };
  const archive = await openTestIngest(undefined, { steps: [looking], classes: ['understood'] });
  onTestFinished(() => archive.close());
  const { pool, queue } = archive.context;
  const path = join(archive.scratch, 'film.mp4');
  await writeFile(path, 'as it came');
  const { videoId } = await importFile(archive.context, path);
  await pool.query(sql`update videos set state = 'Processed', published_at = now() where id = ${videoId}`);
  await planSteps(pool, videoId, [looking.name]);
  await queue.enqueue(understandQueue, { videoId });
  await until(async () => (await findSteps(pool, videoId)).some(({ step, state }) => step === looking.name && state === 'done'), {
    withinMs: 20_000,
  });
  expect(await queue.hasWork([ingestQueue])).toBe(true);
});
