import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import { hearWithoutModel, noteLacking, registerModels } from '#domain/videos/fetched-models.ts';
import { findSteps, type StepRecord } from '#domain/videos/record-step.ts';
import { runStepAgain } from '#domain/videos/steps.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { writeWhisperModel } from '#testing/whisper-model.ts';
import { steps } from '../steps.ts';
import { speech } from './speech.ts';
import { voice } from './voice.ts';

const sample = join(import.meta.dirname, '..', '..', 'samples', 'Evening express (1969).mp4');
const run = steps.filter((step) => step.class === 'playable' || step === voice || step === speech);

/** The first ten seconds of a sample in which somebody speaks, without its captions. */
async function bringIn(archive: TestIngest): Promise<string> {
  const film = join(archive.scratch, 'film.m4a');
  await makeMedia(['-i', sample, '-t', '10', '-vn', '-c:a', 'aac', film]);
  return (await archive.ingest(film)).id;
}

async function whenThrough({ context }: TestIngest, id: string): Promise<StepRecord> {
  const settled = async () =>
    (await findSteps(context.pool, id)).find(({ step, state }) => step === 'speech' && !['waiting', 'running'].includes(state));
  return await until(settled, { withinMs: 60_000 });
}

test.skipIf(!canMakeMedia)(
  'a film without captions waits for a recogniser, and is written down word by word by the one that comes',
  { timeout: 120_000 },
  async () => {
    const archive = await openTestIngest(undefined, { steps: run });
    onTestFinished(() => archive.close());
    const { pool, queue, speech: settings } = archive.context;
    const id = await bringIn(archive);
    expect(await whenThrough(archive, id)).toMatchObject({ state: 'skipped', message: 'No speech text: no recogniser configured.' });

    const whisperModel = join(archive.scratch, 'own.bin');
    await writeWhisperModel(whisperModel, [' The', ' may', 'or', ' opened', ' the', ' bridge', '.']);
    Object.assign(settings, { whisperModel });
    await runStepAgain({ pool, queue }, { videoId: id, step: 'speech' });
    const { state, message, result } = await whenThrough(archive, id);
    expect([state, message]).toEqual(['done', null]);
    expect(result).toMatchObject({ engine: 'Whisper (own.bin)', invented: 0 });
    const [first] = await findMoments(pool, id);
    expect(first).toMatchObject({ kind: 'Transcript', source: 'machine', text: 'The mayor opened the bridge.', confidencePercent: 80 });
    expect(first?.engine).toMatch(/^Whisper \(own\.bin\) [0-9a-f]{8}$/);
    expect(first?.wordStartsMs).toHaveLength(5);
    const shown = await archive.context.store.openRange(toVideoKeys(id).heardCaptions);
    expect(shown && (await text(shown.stream()))).toMatch(/Captions by a machine: Whisper[\s\S]*The/);
  },
);

test.skipIf(!canMakeMedia)(
  'a film waits where the model that another machine has is on its way, and is gone on with when it has come',
  { timeout: 120_000 },
  async () => {
    const archive = await openTestIngest(undefined, { steps: run });
    onTestFinished(() => archive.close());
    const { pool, folder } = archive.context;
    await registerModels(pool, [{ name: 'base.en', bytes: 1, licence: 'MIT', source: 'a hub', goodAt: 'English.', isHere: true }]);
    const id = await bringIn(archive);
    const ofSpeech = async () => (await findSteps(pool, id)).find(({ step }) => step === 'speech');
    await until(async () => (await ofSpeech())?.message?.includes('being copied'), { withinMs: 60_000 });
    expect(await ofSpeech()).toMatchObject({ state: 'waiting' });
    await mkdir(folder.models, { recursive: true });
    await writeFile(join(folder.models, 'ggml-base.en.bin'), 'not what its maker made');
    await until(async () => ((await pool.query(`update jobs.job set start_after = now() where state = 'created'`)).rowCount ?? 0) > 0);
    expect(await whenThrough(archive, id)).toMatchObject({ state: 'skipped', message: expect.stringContaining('Whisper base.en') });
  },
);

test.skipIf(!canMakeMedia)(
  'a film does not wait for a model that cannot be fetched, nor where another recogniser is here, and is heard when it has come',
  { timeout: 120_000 },
  async () => {
    const archive = await openTestIngest(undefined, { steps: run });
    onTestFinished(() => archive.close());
    const { pool, queue, folder } = archive.context;
    const known = { name: 'base.en', bytes: 1, licence: 'MIT', source: 'a hub', goodAt: 'English.', isHere: true };
    await registerModels(pool, [known]);
    await noteLacking(pool, 'base.en', 'One machine still lacks it. Its server answered 503.');
    const id = await bringIn(archive);
    expect(await whenThrough(archive, id)).toMatchObject({ state: 'skipped', message: expect.stringContaining('could not be copied') });
    // Another one has come, and this one is tried again.
    await mkdir(folder.models, { recursive: true });
    await writeFile(join(folder.models, 'ggml-base.bin'), 'not what its maker made');
    await noteLacking(pool, 'base.en', null);
    expect(await hearWithoutModel({ pool, queue })).toBe(1);
    expect(await whenThrough(archive, id)).toMatchObject({ state: 'skipped', message: expect.stringMatching(/Whisper base cannot/) });
    expect(await hearWithoutModel({ pool, queue })).toBe(0);
  },
);

test.skipIf(!canMakeMedia)(
  'a film that is shorter than a piece tells how far it is while Whisper hears it',
  { timeout: 120_000 },
  async () => {
    const told: number[] = [];
    const heard: typeof speech = {
      ...speech,
      run: (context) =>
        speech.run({
          ...context,
          // Whatever is told before the piece is through.
          piece: (name, Result, work) => context.piece(name, Result, work).finally(() => told.push(Number.NaN)),
          progress: (share) => {
            told.push(share);
            context.progress(share);
          },
        }),
    };
    const archive = await openTestIngest(undefined, { steps: run.map((step) => (step === speech ? heard : step)) });
    onTestFinished(() => archive.close());
    const whisperModel = join(archive.scratch, 'own.bin');
    await writeWhisperModel(whisperModel, [' A', ' word', '.']);
    Object.assign(archive.context.speech, { whisperModel });
    const film = join(archive.scratch, 'film.m4a');
    await makeMedia(['-stream_loop', '6', '-i', sample, '-t', '80', '-vn', '-c:a', 'aac', film]);
    const { id } = await archive.ingest(film);
    expect(await whenThrough(archive, id)).toMatchObject({ state: 'done' });
    const within = told.slice(0, told.findIndex(Number.isNaN));
    // A child tells of it once a second at most: how often, the machine decides.
    expect(within.length).toBeGreaterThan(0);
    expect(within).toEqual(within.toSorted((a, b) => a - b));
    expect([(within[0] ?? 0) > 0.1, (within[0] ?? 1) < 0.5, (within.at(-1) ?? 2) <= 1]).toEqual([true, true, true]);
  },
);
