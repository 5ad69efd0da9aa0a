import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMoments } from '#domain/moments/find-moments.ts';
import { findKeywordsOf } from '#domain/moments/layers.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { runStepAgain } from '#domain/videos/steps.ts';
import { copyOfSample } from '#testing/copy-of-sample.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { EngineUsed, toEngineUsed } from '../engines/engine.ts';
import { steps } from '../steps.ts';
import { subtitleReader } from './picture-subtitles.ts';
import { shotFinderEngine } from './shots.ts';

let archive: TestIngest;
let id: string;
const lines = [
  'We flew it on the Concorde to Paris.',
  'The Concorde took three hours.',
  'A Hasselblad lay on the seat.',
  'Nobody flies a Concorde now.',
];

const cue = (text: string, n: number) => `${n + 1}\n00:00:0${n + 1},000 --> 00:00:0${n + 1},900\n${text}\n`;

beforeAll(async () => {
  archive = await openTestIngest(undefined, {
    steps: steps.filter((step) => step.class === 'playable' || ['language', 'brands', 'keywords'].includes(step.name)),
  });
  const film = await copyOfSample('Dunes in the wind', archive.scratch);
  await writeFile(film.replace('.mp4', '.srt'), lines.map(cue).join('\n'));
  await writeFile(film.replace('.mp4', '.json'), JSON.stringify({ brands: [{ name: 'Hasselblad', at: [3] }] }));
  id = (await archive.ingest(film)).id;
  await untilDone();
}, 120_000);
afterAll(() => archive.close());

test('brands that are named in a film become moments that say who found them; what the catalogue knows already is not said twice', async () => {
  expect((await brands()).map(({ text, source, engine }) => [text, source, engine])).toEqual([
    ['Concorde', 'machine', 'List of brands 1'],
    ['Hasselblad', 'editor', undefined],
  ]);
  expect((await brands())[0]).toMatchObject({ startMs: 1_000, endMs: 4_900 });
});

test('done again with another list, the step finds what that names and nothing else', async () => {
  const { pool } = archive.context;
  await pool.query(`insert into archive_facts (name, value) values ('brands', 'Paris: concorde flew')`);
  await runStepAgain(archive.context, { videoId: id, step: 'brands' });
  await untilDone();
  expect((await brands()).map(({ text }) => text)).toEqual(['Paris', 'Hasselblad']);
});

test('what is found says by which engine; what was found before that was said is taken for found by the engine that there was', async () => {
  const { pool } = archive.context;
  const engines = async () => {
    const records = await findSteps(pool, id);
    return ['brands', 'keywords'].map((name) => EngineUsed.safeParse(records.find(({ step }) => step === name)?.result).data?.engine);
  };
  expect(await engines()).toEqual(['List of brands', 'Word counts']);
  await pool.query(`update ingest_steps set result = result - 'engine' - 'engineVersion'`);
  expect(await engines()).toEqual([undefined, undefined]);
  await pool.query(await readFile(join(import.meta.dirname, '../../domain/db/migrations/0087-engine-used.sql'), 'utf8'));
  expect(await engines()).toEqual(['List of brands', 'Word counts']);
});

test('brands that were found before their engine said its version say it since, in their layer and in the film; nothing else changes', async () => {
  const { pool } = archive.context;
  const engines = async () => {
    const found = async (table: string) =>
      (await pool.query<{ engines: string[] }>(`select engines from ${table} where video_id = $1 and engines is not null`, [id])).rows;
    return [...(await found('layers')), ...(await found('moments'))].flatMap((row) => row.engines);
  };
  const before = await engines();
  for (const table of ['layers', 'moments'])
    await pool.query(`update ${table} set engines = array_replace(engines, 'List of brands 1', 'List of brands')`);
  expect((await engines()).filter((engine) => engine === 'List of brands')).toHaveLength(2);
  await pool.query(await readFile(join(import.meta.dirname, '../../domain/db/migrations/0115-engines-in-full.sql'), 'utf8'));
  expect([await engines(), before.filter((engine) => engine === 'List of brands 1').length]).toEqual([before, 2]);
});

test('shots and subtitles that were found before their steps said an engine are taken for found by the one that there was', async () => {
  const { pool } = archive.context;
  await pool.query(
    `insert into ingest_steps (video_id, step, state, result)
     values ($1, 'shots', 'done', '{"shots": 2}'), ($1, 'picture-subtitles', 'done', '{"lines": 7}')`,
    [id],
  );
  await pool.query(await readFile(join(import.meta.dirname, '../../domain/db/migrations/0115-engines-in-full.sql'), 'utf8'));
  const records = await findSteps(pool, id);
  const results = ['shots', 'picture-subtitles'].map((name) => records.find(({ step }) => step === name)?.result);
  expect(results).toEqual([
    { shots: 2, ...toEngineUsed(shotFinderEngine) },
    { lines: 7, ...toEngineUsed(subtitleReader) },
  ]);
});

test('what a film says more than others becomes its keywords', async () => {
  expect((await findKeywordsOf(archive.context.pool, id)).map(({ text, times }) => [text, times.length])).toEqual([['Concorde', 3]]);
});

test('a film speaks the language in which most of it is said; one whose sidecar names a language keeps that', {
  timeout: 120_000,
}, async () => {
  expect(await languageOf(id)).toEqual({ language: 'en', state: 'done', message: null });
  const german = ['Wir fahren heute mit dem alten Schiff hinaus.', 'Am Abend kamen die Boote wieder in den Hafen.'];
  const heard = await ingestWith('Harbour at dusk', '.srt', german);
  const named = await ingestWith('Evening express (1969)', '.pt-BR.srt', lines);
  await untilDone(heard, named);
  expect(await languageOf(heard)).toEqual({ language: 'de', state: 'done', message: null });
  const message = 'The language was supplied with the video: pt-BR.';
  expect(await languageOf(named)).toEqual({ language: 'pt-BR', state: 'skipped', message });
});

async function ingestWith(sample: string, sidecar: string, texts: readonly string[]): Promise<string> {
  const film = await copyOfSample(sample, archive.scratch);
  await writeFile(film.replace('.mp4', sidecar), texts.map(cue).join('\n'));
  return (await archive.ingest(film)).id;
}

async function languageOf(videoId: string) {
  const { pool } = archive.context;
  const step = (await findSteps(pool, videoId)).find((one) => one.step === 'language');
  return { language: (await findFootage(pool, videoId))?.language, state: step?.state, message: step?.message };
}

async function brands() {
  return (await findMoments(archive.context.pool, id)).filter(({ kind }) => kind === 'Brand');
}

async function untilDone(...ids: readonly string[]): Promise<void> {
  const settled = ['done', 'failed', 'skipped'];
  for (const one of ids.length > 0 ? ids : [id])
    await until(async () => (await findSteps(archive.context.pool, one)).every(({ state }) => settled.includes(state)), {
      withinMs: 60_000,
    });
}
