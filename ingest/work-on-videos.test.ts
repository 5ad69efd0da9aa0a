import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { sha256Of } from '#domain/files/sha256.ts';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { understandQueue } from '#domain/jobs/ingest-queue.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { canMakeMedia, ffmpegPath, makeClip, makeMedia } from '#testing/media-clips.ts';
import { replaceOriginal } from '#testing/replace-original.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { untilQuiet } from '#testing/until-quiet.ts';
import { importFile } from './footage/import-file.ts';
import type { Step, StepContext } from './step.ts';
import { probe } from './steps/probe.ts';
import { steps as allSteps } from './steps.ts';
import type { MediaTools } from './tools/media-tools.ts';
import { enqueueLeftFilms } from './work-on-videos.ts';

let archive: TestIngest;
beforeAll(async () => {
  archive = await openTestIngest();
});
afterAll(() => archive.close());

const patience = { withinMs: 150_000 };

test.skipIf(!canMakeMedia)('a short film is published while a long one, which came before it, is still being worked on', async () => {
  const { tools, longIsEncoded, mayGoOn } = holdingEncodes();
  const held = await openTestIngest(undefined, { tools });
  onTestFinished(async () => {
    mayGoOn.resolve();
    await held.close();
  });
  const { videoId } = await importFile(held.context, await longFilm(held.scratch));
  await longIsEncoded.promise;
  const short = join(held.scratch, 'short.mp4');
  await makeClip(short);
  expect((await held.ingest(short)).state).toBe('Processed');
  expect((await findFootage(held.context.pool, videoId))?.state).toBe('Processing');
});

test.skipIf(!canMakeMedia)(
  'a film that plays is understood while a long one, which came before it, is still being encoded',
  { timeout: 120_000 },
  async () => {
    const { tools, longIsEncoded, mayGoOn } = holdingEncodes();
    const looking: Step = {
      name: 'looking',
      version: 1,
      needs: [probe],
      optional: true,
      class: 'understood',
      share: 100,
      Result: z.null(),
      run: () => Promise.resolve({ is: 'done', result: null }),
    };
    const steps = [...allSteps.filter((step) => step.class === 'playable'), looking];
    const held = await openTestIngest(undefined, { tools, steps });
    onTestFinished(async () => {
      mayGoOn.resolve();
      await held.close();
    });
    const { pool } = held.context;
    const { videoId } = await importFile(held.context, await longFilm(held.scratch));
    await longIsEncoded.promise;
    const short = join(held.scratch, 'short.mp4');
    await makeClip(short);
    const { id } = await held.ingest(short);
    const isUnderstood = async () => (await findSteps(pool, id)).some(({ step, state }) => step === 'looking' && state === 'done');
    await until(isUnderstood, { withinMs: 30_000 });
    expect((await findFootage(pool, videoId))?.state).toBe('Processing');
  },
);

const standsStill = 'while true; do echo out_time_us=40000; sleep 0.1; done';
const lacksMemory = 'echo Cannot allocate memory >&2; exit 1';

test.skipIf(!canMakeMedia).each([
  ['an encode that stands still', 'renditions', 'libx264', standsStill, 'processing_timeout', 'made no progress'],
  ['what draws stills and stands still', 'stills', 'storyboard.jpg', standsStill, 'processing_timeout', 'made no progress'],
  ['an encode that takes too much memory', 'renditions', 'libx264', lacksMemory, 'processing_failed', 'more than 2 GB of memory'],
])(
  '%s is ended and tried again; the third time the film fails for that, and its original is kept',
  { timeout: 200_000 },
  async (_, name, asked, does, failureCode, said) => {
    const stuck = await openTestIngest({ ffmpegPath: await stumblingFfmpeg(asked, does), searchPath: '' }, { passSilenceMs: 3_000 });
    onTestFinished(() => stuck.close());
    const film = join(stuck.scratch, 'film.mkv');
    await makeClip(film, ['-c:a', 'libopus']);
    const video = await stuck.ingest(film);
    const [failed] = (await findSteps(stuck.context.pool, video.id)).filter(({ step }) => step === name);
    expect(video).toMatchObject({ state: 'Failed', failureCode });
    expect(failed).toMatchObject({ attempts: 3, message: expect.stringContaining(said) });
    expect(await stuck.context.store.stat(toVideoKeys(video.id).original)).not.toBeNull();
  },
);

test.skipIf(!canMakeMedia)(
  'a film whose job is lost is worked on all the same, and one that can only wait is left alone',
  { timeout: 120_000 },
  async () => {
    const kind = { version: 1, optional: true, class: 'understood', share: 50, Result: z.null() } as const;
    const looking: Step = { ...kind, name: 'looking', needs: [probe], run: () => Promise.resolve({ is: 'done', result: null }) };
    const telling: Step = { ...kind, name: 'telling', needs: [looking], run: () => Promise.resolve({ is: 'skipped', reason: 'Nothing.' }) };
    const steps = [...allSteps.filter((step) => step.class === 'playable'), looking, telling];
    const held = await openTestIngest(undefined, { steps });
    onTestFinished(() => held.close());
    const { pool, queue } = held.context;
    const left = () => enqueueLeftFilms(held.context, steps);
    const settled = () => untilQuiet(pool);
    const set = async (step: string, columns: string) =>
      void (await pool.query(`update ingest_steps set ${columns} where step = '${step}'`));
    const isDone = async (id: string) => (await findSteps(pool, id)).some(({ step, state }) => step === 'looking' && state === 'done');

    const [film, lost] = [join(held.scratch, 'film.mp4'), join(held.scratch, 'lost.mp4')];
    await makeClip(film);
    await makeClip(lost, ['-metadata', 'title=Another']);
    const { id } = await held.ingest(film);
    await settled();
    expect(await left()).toBe(0);
    // Its record is there, and its job is not.
    const { videoId } = await importFile({ ...held.context, queue: { ...queue, enqueue: async () => {} } }, lost);
    expect(await left()).toBe(1);
    await until(async () => await isDone(videoId), patience);
    await settled();

    await pool.query(`delete from ingest_steps where video_id = $1`, [videoId]);
    await set('looking', `state = 'waiting', attempts = 0`);
    expect(await left()).toBe(1);
    await settled();
    expect(await isDone(id)).toBe(true);
    // What it needs came to nothing: it is left out as well.
    await set('looking', `state = 'skipped', result = 'true'`);
    await set('telling', `state = 'waiting'`);
    expect(await left()).toBe(1);
    await settled();
    expect(await left()).toBe(0);
    await set('telling', `state = 'waiting'`);
    // A step at which worker after worker ended.
    await set('looking', `state = 'running', attempts = 3`);
    expect(await left()).toBe(0);
    await set('looking', `state = 'waiting', attempts = 0`);
    await queue.enqueue(`${understandQueue}-long`, { videoId: id }, { inSeconds: 60 });
    expect(await left()).toBe(0);
  },
);

test.skipIf(!canMakeMedia)(
  'a film that is given another file is done with that one alone, where tools read copies of what the store holds',
  { timeout: 120_000 },
  async () => {
    const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const Hash = z.string();
    const kind = { version: 1, optional: false, class: 'playable', share: 40, Result: Hash } as const;
    const hashOf = async ({ original }: StepContext) => ({ is: 'done', result: sha256Of(await readFile(await original())) }) as const;
    const looking: Step<string> = {
      ...kind,
      name: 'looking',
      needs: [probe],
      run: async (context) => {
        begun.resolve();
        await mayEnd.promise;
        return await hashOf(context);
      },
    };
    const telling: Step<string> = { ...kind, name: 'telling', needs: [probe], run: hashOf };
    // What a bucket does: whoever asked first reads what there was then.
    const copying = (local: FileStore): FileStore => ({
      ...local,
      withLocalCopy: async (key, work) => {
        const path = join(await mkdtemp(join(tmpdir(), 'rushes-copy-')), 'copy');
        await local.withLocalCopy(key, (from) => copyFile(from, path));
        return await work(path).finally(() => rm(dirname(path), { recursive: true }));
      },
    });
    const held = await openTestIngest(undefined, { steps: [probe, looking, telling], store: copying });
    onTestFinished(() => held.close());
    const { pool } = held.context;
    const [film, other] = [join(held.scratch, 'film.mp4'), join(held.scratch, 'other.mp4')];
    await makeClip(film);
    await makeClip(other, ['-metadata', 'title=Another']);
    const { videoId } = await importFile(held.context, film);
    await begun.promise;
    const contentHash = await replaceOriginal(held.context, { videoId, path: other });
    mayEnd.resolve();
    await untilQuiet(pool);
    const results = (await findSteps(pool, videoId)).filter(({ step }) => step === 'looking' || step === 'telling');
    expect(results.map(({ state, result }) => [state, result])).toEqual([
      ['done', contentHash],
      ['done', contentHash],
    ]);
  },
);

test.skipIf(!canMakeMedia)(
  'a worker that loses its claim on a film to another one ends what it does there, notes nothing of it, and waits for its turn',
  { timeout: 120_000 },
  async () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let times = 0;
    const looking: Step<null> = {
      name: 'looking',
      version: 1,
      needs: [probe],
      optional: false,
      class: 'playable',
      share: 90,
      Result: z.null(),
      run: async ({ signal }) => {
        times += 1;
        if (times > 1) return { is: 'done', result: null };
        begun.resolve();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))).finally(ended.resolve);
        throw new Error('nothing ended it');
      },
    };
    const held = await openTestIngest(undefined, { steps: [probe, looking] });
    onTestFinished(() => held.close());
    const { pool } = held.context;
    const film = join(held.scratch, 'film.mp4');
    await makeClip(film);
    const { videoId } = await importFile(held.context, film);
    await begun.promise;
    const other = await pool.connect();
    const taking = other.query('select pg_advisory_lock(728374, hashtext($1))', [videoId]);
    await pool.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 728374 and granted
                         and database = (select oid from pg_database where datname = current_database())`);
    await taking;
    await ended.promise;
    const waits = `select from jobs.job where name = 'ingest-video' and state = 'created' and start_after > now()`;
    await until(async () => (await pool.query(waits)).rowCount === 1);
    const ofLooking = async () => (await findSteps(pool, videoId)).find(({ step }) => step === 'looking');
    expect(await ofLooking()).toMatchObject({ state: 'running', message: null, attempts: 1 });
    other.release(true);
    await untilQuiet(pool);
    expect(await ofLooking()).toMatchObject({ state: 'done' });
  },
);

/** Tools with which every encode waits until it may go on; a short film, which plays as it is, is not encoded. */
function holdingEncodes() {
  const [longIsEncoded, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tools = (found: MediaTools): MediaTools => ({
    ...found,
    encodeRenditions: async (...args) => {
      longIsEncoded.resolve();
      await mayGoOn.promise;
      await found.encodeRenditions(...args);
    },
  });
  return { tools, longIsEncoded, mayGoOn };
}

/** More than ten minutes that have to be encoded. */
async function longFilm(folder: string): Promise<string> {
  const [once, long] = [join(folder, 'once.mkv'), join(folder, 'long.mkv')];
  await makeClip(once, ['-vf', 'scale=640:360', '-c:a', 'libopus']);
  await makeMedia(['-stream_loop', '240', '-i', once, '-c', 'copy', long]);
  return long;
}

/** An ffmpeg that stumbles in its way over the one call whose arguments name what is asked. */
async function stumblingFfmpeg(asked: string, does: string): Promise<string> {
  const folder = await mkdtemp(join(archive.scratch, 'stumbling-'));
  const script = `#!/bin/sh\ncase "$*" in *${asked}*) ${does} ;; esac\nexec ${ffmpegPath} "$@"\n`;
  await writeFile(join(folder, 'ffmpeg'), script, { mode: 0o755 });
  await writeFile(join(folder, 'ffprobe'), `#!/bin/sh\nexec ${join(dirname(ffmpegPath), 'ffprobe')} "$@"\n`, { mode: 0o755 });
  return join(folder, 'ffmpeg');
}
