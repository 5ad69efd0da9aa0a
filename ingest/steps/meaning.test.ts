import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '#domain/db/sql.ts';
import { ingestQueue } from '#domain/jobs/ingest-queue.ts';
import { chooseEncoder } from '#domain/meaning/encoder/choose-encoder.ts';
import { openMeaningProcess } from '#domain/meaning/meaning-process.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { writeSentenceModel } from '#testing/sentence-model.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { startMeaningLoop } from '../follow-films.ts';
import type { StepContext, StepOutcome } from '../step.ts';
import { spareTime } from '../tools/give-way.ts';
import { meaning } from './meaning.ts';

const films = {
  english: { language: 'en-GB', said: ['The kettle is on the stove.', 'Somebody knocks at the door.'] },
  german: { language: 'de', said: ['Der Kessel steht auf dem Herd.'] },
  silent: { language: 'en', said: [] },
};
let archive: TestIngest;
const ids: Record<string, string> = {};
const both = ['playable', 'understood'] as const;

beforeAll(async () => {
  archive = await openTestIngest();
  const { pool } = archive.context;
  const records = Object.entries(films).map(([id, { language, said }]) => {
    const lines = said.map((text, n) => ({ start: n * 5, end: n * 5 + 5, text }));
    return CatalogueRecord.parse({ id, title: id, durationSeconds: 60, language, lines });
  });
  await createCatalogueVideos(pool, records);
  const { rows } = await pool.query<{ id: string; name: string }>(sql`select id, external_id as name from videos`);
  for (const { id, name } of rows) ids[name] = id;
});
afterAll(() => archive.close());

const understood = {
  is: 'done',
  result: { passages: 1, engine: 'Universal Sentence Encoder lite 1', engineVersion: '0.2.0' },
};

async function understand(film: keyof typeof films, changed: Partial<StepContext> = {}): Promise<StepOutcome<unknown>> {
  return await meaning.run({ ...archive.context, video: { id: ids[film] }, ...changed } as StepContext);
}

async function bytesKept(): Promise<Record<string, number>> {
  const { rows } = await archive.context.pool.query<{ name: string; bytes: number }>(
    sql`select v.external_id as name, octet_length(f.signs) as bytes from film_meaning f join videos v on v.id = f.video_id order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}

test('an English film has signs of its title and its passages; another language and silence are told in a sentence', async () => {
  expect(await understand('english')).toEqual(understood);
  expect(await understand('german')).toEqual({
    is: 'skipped',
    reason: { is: 'other-language', understood: 'English', language: 'de' },
  });
  expect(await understand('silent')).toEqual({ is: 'skipped', reason: 'Nothing is said in it.' });
  expect(await bytesKept()).toEqual({ english: 2 * 64, silent: 0 });
});

test('what is there already is not made again, and an encoder that fails may do better in a while', async () => {
  const failing = { ...archive.context.encoder, signs: () => Promise.reject(new Error('The sentence encoder ended with 1: no memory')) };
  expect(await understand('english', { encoder: failing })).toEqual(understood);
  await archive.context.pool.query(sql`update film_meaning set checksum = ''`);
  await expect(understand('english', { encoder: failing })).rejects.toMatchObject({ kind: { is: 'try-again' } });
});

test('the worker follows with films that no step is done with, also while a long film is encoded, and forgets a film that is of another language by now', async () => {
  const { pool, encoder } = archive.context;
  await pool.query(sql`update videos set language = 'en' where external_id = 'german'`);
  const spare = spareTime({ inUse: () => 0 });
  const queue = { hasWork: (names: readonly string[]) => Promise.resolve(names.includes(`${ingestQueue}-long`)) };
  const loop = startMeaningLoop({ pool, encoder, queue, log: () => {}, classes: both, spare });
  await until(async () => 'german' in (await bytesKept()), { withinMs: 60_000 });
  await loop.stop();
  await pool.query(sql`update videos set language = 'de' where external_id = 'german'`);
  await understand('german');
  expect(await bytesKept()).not.toHaveProperty('german');
});

test('a worker that makes no film playable follows also while others do', async () => {
  const { pool, encoder } = archive.context;
  await pool.query(sql`update videos set language = 'en' where external_id = 'german'`);
  const queue = { hasWork: () => Promise.resolve(true) };
  const spare = spareTime({ inUse: () => 0 });
  const loop = startMeaningLoop({ pool, encoder, queue, log: () => {}, classes: ['understood'], spare });
  onTestFinished(() => loop.stop());
  await until(async () => 'german' in (await bytesKept()), { withinMs: 60_000 });
  await loop.stop();
  await pool.query(sql`update videos set language = 'de' where external_id = 'german'`);
  await understand('german');
});

test('the worker that is stopped while a film waits for its turn ends before its next look, and without that film', async () => {
  const { pool, encoder, queue } = archive.context;
  await pool.query(sql`update videos set language = 'en' where external_id = 'german'`);
  const waiting = Promise.withResolvers<void>();
  const spare = async (signal: AbortSignal) => {
    waiting.resolve();
    await once(signal, 'abort');
  };
  // It never finds the time, and looks again when the other one would, had that not been stopped.
  const looks = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let looked = 0;
  const hasWork = () => {
    looks[looked++]?.resolve('looked again');
    return Promise.resolve(true);
  };
  const busy = startMeaningLoop({ pool, encoder, queue: { hasWork }, log: () => {}, classes: both, spare: () => Promise.resolve() });
  onTestFinished(() => busy.stop());
  await looks[0]?.promise;
  const loop = startMeaningLoop({ pool, encoder, queue, log: () => {}, classes: both, spare });
  await waiting.promise;
  expect(await Promise.race([loop.stop().then(() => 'stopped'), looks[1]?.promise])).toBe('stopped');
  expect(await bytesKept()).not.toHaveProperty('german');
});

test('an encoder of the operator’s own that cannot be used skips the step, and says why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rushes-own-encoder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const model = await writeSentenceModel(folder, [['word']]);
  await writeFile(model, 'no model at all');
  const broken = openMeaningProcess({ encoder: await chooseEncoder({ model, languages: 'en' }) });
  onTestFinished(() => broken.close());
  const failure = { kind: { is: 'tool-missing' }, message: expect.stringMatching(/^The sentence encoder cannot be used: .*model\.onnx/) };
  await archive.context.pool.query(sql`update film_meaning set checksum = ''`);
  await expect(understand('english', { encoder: broken })).rejects.toMatchObject(failure);
  await rm(model);
  await expect(understand('english', { encoder: broken })).rejects.toMatchObject({
    message: expect.stringContaining('model.onnx is missing'),
  });
});

test('an encoder of the operator’s own that takes more memory than a child may hold is not used, and the step says what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rushes-large-encoder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const encoder = await chooseEncoder({ model: await writeSentenceModel(folder, [['word']]), languages: 'en' });
  const large = openMeaningProcess({ encoder, memoryMaxMB: 20 });
  onTestFinished(() => large.close());
  await archive.context.pool.query(sql`update film_meaning set checksum = ''`);
  await expect(understand('english', { encoder: large })).rejects.toMatchObject({
    kind: { is: 'tool-missing' },
    message: expect.stringMatching(
      /^The sentence encoder cannot be used: it takes \d+ MB of memory, and may take 20: choose a smaller one/,
    ),
  });
});
