import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { FileStore } from '#domain/files/store.ts';
import { StoreAway } from '#domain/files/store-away.ts';
import { understandQueue } from '#domain/jobs/ingest-queue.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { canMakeMedia, makeClip, makeMedia } from '#testing/media-clips.ts';
import { openTestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { untilQuiet } from '#testing/until-quiet.ts';
import { importFile } from './footage/import-file.ts';
import type { Step, StepContext } from './step.ts';
import { probe } from './steps/probe.ts';

test.skipIf(!canMakeMedia)('a store that is away for a while makes films wait, and fails none', { timeout: 300_000 }, async () => {
  let refusals = 1;
  const said: string[] = [];
  const away = (store: FileStore): FileStore => ({
    ...store,
    put: async (key, from) => {
      if (key.endsWith('.jpg') && refusals-- > 0) throw new StoreAway('it does not answer');
      await store.put(key, from);
    },
  });
  const archive = await openTestIngest(undefined, { store: away, log: (line) => said.push(line) });
  const film = join(archive.scratch, 'film.mp4');
  await makeClip(film);
  expect((await archive.ingest(film)).state).toBe('Processed');
  expect(said.filter((line) => line.includes('it waits, and goes on when the store is there'))).toHaveLength(1);
  await archive.close();
});

test('a film whose original is not there any more is never taken for damaged', { timeout: 300_000 }, async () => {
  const said: string[] = [];
  let isGone = false;
  const vanishing = (store: FileStore): FileStore => ({
    ...store,
    stat: (key) => (isGone ? Promise.resolve(null) : store.stat(key)),
    withLocalCopy: (key, work) => {
      isGone = true;
      return store.withLocalCopy(key, work);
    },
  });
  const archive = await openTestIngest(undefined, { store: vanishing, log: (line) => said.push(line) });
  const broken = join(archive.scratch, 'film.mp4');
  writeFileSync(broken, 'what a disk gives that is about to go');
  const { videoId } = await importFile(archive.context, broken);
  await until(() => said.some((line) => line.includes('its original is missing')));
  expect(await findFootage(archive.context.pool, videoId)).toMatchObject({ failureCode: null });
  expect((await findFootage(archive.context.pool, videoId))?.state).not.toBe('Failed');
  await archive.close();
});

test.skipIf(!canMakeMedia)(
  'an original is fetched where a step reads it, once for a job, and a long film keeps its priority',
  { timeout: 120_000 },
  async () => {
    const [priorities, fetched] = [new Set<string>(), new Set<string>()];
    let fetches = 0;
    const kind = { version: 1, optional: true, class: 'understood', share: 50, needs: [probe], Result: z.null() } as const;
    const noted = async ({ pool }: StepContext, step: string) => {
      const { rows } = await pool.query(`select name, priority from jobs.job where state = 'active'`);
      for (const { name, priority } of rows) priorities.add(`${name} ${priority}`);
      fetched.add(`${step} ${fetches}`);
      return { is: 'done', result: null } as const;
    };
    const thinking: Step = { ...kind, name: 'thinking', run: (context) => noted(context, 'thinking') };
    const reading: Step = {
      ...kind,
      name: 'reading',
      run: async (context) => {
        expect(await context.original()).toBe(await context.original());
        return await noted(context, 'reading');
      },
    };
    const counting = (local: FileStore): FileStore => ({
      ...local,
      withLocalCopy: async (...asked) => {
        fetches += 1;
        return await local.withLocalCopy(...asked);
      },
    });
    const held = await openTestIngest(undefined, { steps: [probe, thinking, reading], store: counting });
    onTestFinished(() => held.close());
    const { pool, queue } = held.context;
    const long = join(held.scratch, 'long.wav');
    await makeMedia(['-f', 'lavfi', '-i', 'sine=f=440:r=8000:d=601', long]);
    const { videoId } = await importFile(held.context, long);
    await untilQuiet(pool);
    await pool.query(`update videos set state = 'Processed'`);
    fetches = 0;
    await queue.enqueue(understandQueue, { videoId }, { priority: -1 });
    await untilQuiet(pool);
    expect([...fetched]).toEqual(['thinking 0', 'reading 1']);
    expect([...priorities]).toEqual([`${understandQueue}-long -1`]);
  },
);
