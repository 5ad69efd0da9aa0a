import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { StepOfVideo } from '#contract/steps.ts';
import { ingestQueue } from '#domain/jobs/ingest-queue.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import type { Layer } from '#domain/moments/layers.ts';
import { findFootage, retryFootage } from '#domain/videos/footage.ts';
import { cancelStepOf, listSteps, runStepAgain, runStepForAll, selectBelowVersion, skipStepOf } from '#domain/videos/steps.ts';
import { copyOfSample } from '#testing/copy-of-sample.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { untilQuiet } from '#testing/until-quiet.ts';
import { importFile } from './footage/import-file.ts';
import type { Step, StepContext, StepOutcome } from './step.ts';
import { StepFailure } from './step-failure.ts';
import { renditions } from './steps/renditions.ts';
import { steps } from './steps.ts';

const Seen = z.object({ seen: z.string() });
type Seen = z.infer<typeof Seen>;
type Way = (context: StepContext) => Promise<StepOutcome<Seen>>;

const labels = (name: string): Layer[] => [
  {
    name: 'labels',
    names: [name],
    moments: [
      { kind: 'Annotations', startMs: 1_000, endMs: 2_000, text: name, source: 'machine', confidencePercent: 80, engine: 'an eye' },
    ],
  },
];
const sees =
  (name: string): Way =>
  () =>
    Promise.resolve({ is: 'done', result: { seen: name }, layers: labels(name) });
/** What the two steps of this test do with a film, and how often they were begun. */
let look: Way = sees('a quay');
const tell: Way = ({ resultOf }) => Promise.resolve({ is: 'done', result: { seen: `${resultOf(looking).seen}, told` } });
const begun = { looking: 0, telling: 0, recalling: 0 };

/** A step of this test, which counts how often it is begun. */
const stepThat = (way: Way, { name, ...row }: Pick<Step<Seen>, 'needs' | 'follows'> & { name: keyof typeof begun }): Step<Seen> => ({
  version: 1,
  optional: true,
  class: 'understood',
  share: 50,
  Result: Seen,
  ...row,
  name,
  run: (context) => {
    begun[name] += 1;
    return way(context);
  },
});
const looking = { ...stepThat((context) => look(context), { name: 'looking', needs: [renditions] }), version: 3 };
const telling = stepThat(tell, { name: 'telling', needs: [looking] });
const recall: Way = () => Promise.resolve({ is: 'done', result: { seen: 'what there was' } });
const recalling = stepThat(recall, { name: 'recalling', needs: [], follows: [looking] });

vi.setConfig({ testTimeout: 120_000 });

const playable = steps.filter((step) => step.class === 'playable');
let archive: TestIngest;
let id: string;
beforeAll(async () => {
  archive = await openTestIngest(undefined, { steps: [...playable, looking, telling, recalling] });
  id = (await archive.ingest(resolve(import.meta.dirname, '../samples/Dunes in the wind.mp4'))).id;
}, 120_000);
afterAll(() => archive.close());
beforeEach(async () => {
  await settled();
  look = sees('a quay');
  await runAgain('looking');
  [begun.looking, begun.telling, begun.recalling] = [0, 0, 0];
});

test('a film is published with what makes it playable, and what understands it publishes itself later', async () => {
  expect((await findFootage(archive.context.pool, id))?.state).toBe('Processed');
  expect((await labelsOf()).map(({ text, engine }) => [text, engine])).toEqual([['a quay', 'an eye']]);
  expect((await listSteps(archive.context.pool, id)).map(({ name, state }) => [name, state])).toEqual(
    [...playable.map(({ name }) => name), 'looking', 'telling', 'recalling'].map((name) => [name, 'done']),
  );
});

test('a step whose tool is missing is skipped and says why; the film stays, and what needs it is skipped until it is done', async () => {
  await runAgain('looking');
  expect(begun).toMatchObject({ looking: 1, telling: 0 });
  await forgetResults();
  look = () => Promise.reject(new StepFailure({ is: 'tool-missing' }, 'No model to look with is installed.'));
  await runAgain('looking');
  await runAgain('telling');
  expect(await stepOf('looking')).toMatchObject({ state: 'skipped', message: 'No model to look with is installed.', version: 0 });
  expect(await stepOf('telling')).toMatchObject({ state: 'skipped', message: 'It needs “Looking”, which has no result.' });
  expect((await findFootage(archive.context.pool, id))?.state).toBe('Processed');
  // Installed by now: both are done, the second without having been asked for.
  look = sees('a quay');
  await runAgain('looking');
  expect([(await stepOf('looking')).state, (await stepOf('telling')).state]).toEqual(['done', 'done']);
});

test('a step that fails three times stops, and says what failed in a sentence, and what its tool said at last; the film stays', async () => {
  look = () => Promise.reject(new StepFailure({ is: 'try-again' }, 'It could not be seen.', { details: 'no light\nIt ended with 3.' }));
  await runAgain('looking');
  const failed = await stepOf('looking');
  expect(failed).toMatchObject({ state: 'failed', attempts: 3, message: 'It could not be seen.', version: 3 });
  expect(failed.details).toBe('no light\nIt ended with 3.');
  expect((await findFootage(archive.context.pool, id))?.state).toBe('Processed');
  // What it found before counts until it finds something else.
  expect((await labelsOf()).map(({ text }) => text)).toEqual(['a quay']);
});

test('a step that is done again makes those that need it be done again when it finds something else, and only then', async () => {
  await runAgain('looking');
  expect(begun).toMatchObject({ looking: 1, telling: 0 });
  look = sees('a crane');
  await runAgain('looking');
  expect(begun).toMatchObject({ looking: 2, telling: 1 });
  expect((await labelsOf()).map(({ text }) => text)).toEqual(['a crane']);
});

test('a step that follows another is done without it, and again when the other finds something else', async () => {
  look = () => Promise.reject(new StepFailure({ is: 'tool-missing' }, 'No model to look with is installed.'));
  await runAgain('looking');
  await runAgain('recalling');
  expect([(await stepOf('looking')).state, (await stepOf('recalling')).state]).toEqual(['skipped', 'done']);
  begun.recalling = 0;
  look = sees('a quay');
  await runAgain('looking');
  expect(begun.recalling).toBe(0);
  look = sees('a crane');
  await runAgain('looking');
  expect(begun.recalling).toBe(1);
});

test('a running step tells how far it is, how fast, and when it will be done; cancelled, it ends at once and what it found before stays, also where it was done by then', async () => {
  const reached = Promise.withResolvers<void>();
  look = ({ progress, signal }) =>
    new Promise((resolve) => {
      const telling = setInterval(() => progress(0.25), 50);
      signal.addEventListener('abort', () => {
        clearInterval(telling);
        resolve({ is: 'done', result: { seen: 'a crane' }, layers: labels('a crane') });
      });
      reached.resolve();
    });
  await runStepAgain(archive.context, { videoId: id, step: 'looking' });
  await reached.promise;
  const running = await until(async () => (await stepOf('looking')).percent === 25 && (await stepOf('looking')));
  expect(running).toMatchObject({ state: 'running', speed: expect.any(Number), secondsLeft: expect.any(Number) });
  await expect(runStepAgain(archive.context, { videoId: id, step: 'looking' })).rejects.toThrow('already on this step');
  await cancelStepOf(archive.context, { videoId: id, step: 'looking' });
  await settled();
  expect(await stepOf('looking')).toMatchObject({ state: 'done', message: 'An editor cancelled it.' });
  expect((await labelsOf()).map(({ text }) => text)).toEqual(['a quay']);
});

const piecesKept = async (): Promise<number> =>
  (await archive.context.pool.query('select from step_pieces where video_id = $1', [id])).rowCount ?? 0;

/** Does three pieces, after each of which `mayGoOn` is asked. */
function inPieces(done: number[], mayGoOn: (piece: number) => void): Way {
  return async ({ piece }) => {
    const seen: string[] = [];
    for (const n of [1, 2, 3]) {
      const part = await piece(`stretch ${n}`, Seen, () => {
        done.push(n);
        return Promise.resolve({ seen: `part ${n}` });
      });
      seen.push(part.seen);
      mayGoOn(n);
    }
    return { is: 'done', result: { seen: seen.join(', ') } };
  };
}

test('a step that is cut off goes on behind the pieces that it had done, and begins with the first one when it is done anew', async () => {
  const done: number[] = [];
  let isCut = true;
  look = inPieces(done, (n) => {
    const wasCut = isCut;
    isCut &&= n < 2;
    if (n === 2 && wasCut) throw new StepFailure({ is: 'try-again' }, 'The power went.');
  });
  await runAgain('looking');
  expect([done, await piecesKept()]).toEqual([[1, 2, 3], 0]);
  await runAgain('looking');
  expect(done).toEqual([1, 2, 3, 1, 2, 3]);
});

test.each([
  ['skipped', { is: 'tool-missing' }],
  ['failed', { is: 'bad-media', code: 'processing_failed' }],
] as const)('nothing is left of the pieces of a step that has %s', async (state, kind) => {
  look = inPieces([], (n) => {
    if (n === 2) throw new StepFailure(kind, 'No further.');
  });
  await runAgain('looking');
  await until(async () => (await piecesKept()) === 0);
  expect((await stepOf('looking')).state).toBe(state);
});

test('nothing is left of the pieces of a step that an editor cancels, or leaves out before it is tried again', async () => {
  look = inPieces([], (n) => {
    if (n === 2) throw new StepFailure({ is: 'try-again' }, 'The power went.');
  });
  await runStepAgain(archive.context, { videoId: id, step: 'looking' });
  await until(async () => (await stepOf('looking')).state === 'failed');
  expect(await piecesKept()).toBe(2);
  await skipStepOf(archive.context, { videoId: id, step: 'looking' });
  expect(await piecesKept()).toBe(0);
  look = (context) => inPieces([], () => {})(context).then(() => new Promise((_, fail) => context.signal.addEventListener('abort', fail)));
  await runStepAgain(archive.context, { videoId: id, step: 'looking' });
  await until(async () => (await piecesKept()) === 3);
  await cancelStepOf(archive.context, { videoId: id, step: 'looking' });
  expect(await piecesKept()).toBe(0);
});

test('an editor leaves out what failed, and nothing that the film cannot do without', async () => {
  look = () => Promise.reject(new StepFailure({ is: 'bad-media', code: 'processing_failed' }, 'Not this film.'));
  await runAgain('looking');
  expect(begun.looking).toBe(1);
  await skipStepOf(archive.context, { videoId: id, step: 'looking' });
  expect((await stepOf('looking')).state).toBe('skipped');
  await expect(skipStepOf(archive.context, { videoId: id, step: 'looking' })).rejects.toThrow('waiting or failed');
  await expect(skipStepOf(archive.context, { videoId: id, step: 'probe' })).rejects.toThrow('cannot be skipped');
  await expect(skipStepOf(archive.context, { videoId: id, step: 'dancing' })).rejects.toThrow('no such step');
});

test('a step is done again for the films that are below a version, and for no other', async () => {
  const { pool } = archive.context;
  expect(await runStepForAll(archive.context, { step: 'looking', behind: selectBelowVersion(3) })).toBe(0);
  await pool.query(`update ingest_steps set version = 2 where step = 'looking'`);
  expect(await runStepForAll(archive.context, { step: 'looking', behind: selectBelowVersion(3) })).toBe(1);
  await settled();
  expect([begun.looking, (await stepOf('looking')).version]).toEqual([1, 3]);
  await pool.query(`delete from ingest_steps where step = 'looking'`);
  expect(await runStepForAll(archive.context, { step: 'looking', behind: selectBelowVersion(3) })).toBe(1);
  await settled();
  expect((await stepOf('looking')).version).toBe(3);
  await expect(runStepForAll(archive.context, { step: 'dancing', behind: selectBelowVersion(3) })).rejects.toThrow('no such step');
});

test('what makes a film playable goes before what understands another', async () => {
  const order: string[] = [];
  look = ({ video }) => {
    order.push(video.id);
    return Promise.resolve({ is: 'done', result: { seen: 'a quay' } });
  };
  const { videoId } = await importFile(archive.context, await copyOfSample('Harbour at dusk', archive.scratch));
  await until(async () => await archive.context.queue.hasWork([ingestQueue]));
  await runStepAgain(archive.context, { videoId: id, step: 'looking' });
  await until(async () => order.length === 2, { withinMs: 100_000 });
  const { rows } = await archive.context.pool.query<{ early: boolean }>(
    `select published.ended_at < looked.started_at as early from ingest_steps published, ingest_steps looked
      where published.video_id = $1 and published.step = 'publish' and looked.video_id = $2 and looked.step = 'looking'`,
    [videoId, id],
  );
  expect(rows).toEqual([{ early: true }]);
});

test('a film whose making is cancelled has failed, keeps its original, and is done when it is tried again', async () => {
  const { pool, store } = archive.context;
  const { videoId } = await importFile(archive.context, await copyOfSample('Evening express (1969)', archive.scratch));
  await until(async () => (await listSteps(pool, videoId)).find(({ name }) => name === 'stills')?.state === 'running', { everyMs: 5 });
  await cancelStepOf(archive.context, { videoId, step: 'stills' });
  await until(async () => !(await archive.context.queue.hasWork([ingestQueue])));
  expect(await findFootage(pool, videoId)).toMatchObject({ state: 'Failed', failureCode: 'cancelled' });
  expect(await store.stat(`media/${videoId}/original`)).not.toBeNull();
  await expect(runStepAgain(archive.context, { videoId, step: 'stills' })).rejects.toThrow('whole video');
  await retryFootage(archive.context, videoId);
  await until(async () => (await findFootage(pool, videoId))?.state === 'Processed', { withinMs: 100_000 });
});

async function stepOf(name: string): Promise<StepOfVideo> {
  const step = (await listSteps(archive.context.pool, id)).find((one) => one.name === name);
  if (!step) throw new Error(`no step ${name}`);
  return step;
}

async function labelsOf() {
  return (await findMoments(archive.context.pool, id)).filter(({ kind, source }) => kind === 'Annotations' && source === 'machine');
}

/** Has a step done again and waits until nothing is to be done. */
async function runAgain(step: string): Promise<void> {
  await runStepAgain(archive.context, { videoId: id, step });
  await settled();
}

const settled = () => untilQuiet(archive.context.pool);

async function forgetResults(): Promise<void> {
  await archive.context.pool.query(`update ingest_steps set result = null, version = 0 where step in ('looking', 'telling')`);
}
