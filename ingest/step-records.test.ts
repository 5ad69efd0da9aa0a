import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { addCallback, takeDueCallbacks } from '#domain/videos/callbacks.ts';
import { listFilmsUnderWay } from '#domain/videos/desk/desk-films.ts';
import { listSteps, runStepAgain, skipStepOf } from '#domain/videos/steps.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { untilQuiet } from '#testing/until-quiet.ts';
import type { Step } from './step.ts';
import { StepFailure } from './step-failure.ts';
import { steps } from './steps.ts';
import { enqueueLeftFilms } from './work-on-videos.ts';

const Seen = z.object({ seen: z.string() });
type Seen = z.infer<typeof Seen>;
let sees = '';
const row = { version: 1, optional: true, class: 'understood', share: 50, Result: Seen } as const;
const looking: Step<Seen> = {
  ...row,
  name: 'looking',
  needs: [],
  run: () => {
    if (sees === 'nothing of the kind') throw new TypeError('Cannot read properties of undefined');
    if (sees === '') return Promise.reject(new StepFailure({ is: 'bad-media', code: 'processing_failed' }, 'Not this film.'));
    return Promise.resolve({ is: 'done', result: { seen: sees } });
  },
};
const telling: Step<Seen> = {
  ...row,
  name: 'telling',
  needs: [looking],
  run: ({ resultOf }) => Promise.resolve({ is: 'done', result: resultOf(looking) }),
};

vi.setConfig({ testTimeout: 120_000 });

const table = [...steps.filter((step) => step.class === 'playable'), looking, telling];
let archive: TestIngest;
let id: string;
beforeAll(async () => {
  archive = await openTestIngest(undefined, { steps: table });
  id = (await archive.ingest(resolve(import.meta.dirname, '../samples/Dunes in the wind.mp4'))).id;
}, 120_000);
afterAll(() => archive.close());
beforeEach(() => {
  sees = '';
});

test('a film ends without what has failed and what needs that, and both are done once somebody has it done again', async () => {
  const { pool } = archive.context;
  await untilQuiet(pool);
  expect(await states()).toEqual(['failed', 'skipped']);
  await addCallback(pool, { videoId: id, address: 'https://desk.example/understood', awaits: 'understood' });
  await skipStepOf(archive.context, { videoId: id, step: 'looking' });
  expect((await takeDueCallbacks(pool)).map(({ videoId }) => videoId)).toEqual([id]);
  expect((await listFilmsUnderWay(pool, 1)).films[0]?.steps.filter(({ state }) => state === 'waiting')).toEqual([]);
  sees = 'a quay';
  await runAgain('looking');
  expect(await states()).toEqual(['done', 'done']);
});

test('what an editor left out stays so, whatever it needs finds out', async () => {
  const { pool } = archive.context;
  sees = 'a quay';
  await runAgain('looking');
  await pool.query("update ingest_steps set state = 'waiting' where step = 'telling'");
  await skipStepOf(archive.context, { videoId: id, step: 'telling' });
  sees = 'a crane';
  await runAgain('looking');
  expect(await states()).toEqual(['done', 'skipped']);
});

test('a step that had nothing to do with what another found is done again once that finds something else', async () => {
  const { pool } = archive.context;
  sees = 'a quay';
  await runAgain('looking');
  await pool.query("update ingest_steps set state = 'skipped', message = 'Too little is seen.', reason = null where step = 'telling'");
  await runAgain('looking');
  expect(await states()).toEqual(['done', 'skipped']);
  sees = 'a crane';
  await runAgain('looking');
  expect(await states()).toEqual(['done', 'done']);
});

test('a film that waits for what was left out is ended by the next worker', async () => {
  const { pool } = archive.context;
  await pool.query(`update ingest_steps set result = null, state = case step when 'looking' then 'skipped' else 'waiting' end
                     where step in ('looking', 'telling')`);
  expect(await enqueueLeftFilms(archive.context, table)).toBe(1);
  await untilQuiet(pool);
  expect(await states()).toEqual(['skipped', 'skipped']);
});

test('what nobody foresaw is no sentence of a step, and stands in its details', async () => {
  sees = 'nothing of the kind';
  await runAgain('looking');
  const [step] = (await listSteps(archive.context.pool, id)).filter(({ name }) => name === 'looking');
  expect(step).toMatchObject({ state: 'failed', attempts: 3, message: 'This step ended unexpectedly.' });
  expect(step?.details).toContain('Cannot read properties of undefined');
});

/** Of the two steps of this test. */
async function states(): Promise<string[]> {
  const found = await listSteps(archive.context.pool, id);
  return [looking, telling].map((step) => found.find(({ name }) => name === step.name)?.state ?? '');
}

async function runAgain(step: string): Promise<void> {
  await runStepAgain(archive.context, { videoId: id, step });
  await untilQuiet(archive.context.pool);
}
