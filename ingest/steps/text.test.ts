import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMoments } from '#domain/moments/find-moments.ts';
import { findPlacedTexts } from '#domain/moments/layers.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { findSteps, type StepRecord } from '#domain/videos/record-step.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { paddleText } from '../engines/paddle-text.ts';
import type { TextReader } from '../engines/text-reader.ts';
import { StepFailure } from '../step-failure.ts';
import { steps } from '../steps.ts';
import { makeTextStep, text } from './text.ts';

const readStretches: number[] = [];
/** Stumbles once over the second stretch of a film. */
const stumbling: TextReader = {
  ...paddleText,
  read: (_runEngine, _input, { fromSeconds }) => {
    readStretches.push(fromSeconds);
    if (fromSeconds > 0 && readStretches.filter((from) => from > 0).length === 1)
      throw new StepFailure({ is: 'try-again' }, 'It stumbled.');
    return Promise.resolve({ texts: [], picturesRead: 1, linesRead: 1, peakMegabytes: 1 });
  },
};

const scratch = await mkdtemp(join(tmpdir(), 'rushes-text-'));
let archive: TestIngest;
let records: Map<string, StepRecord>;
let moments: Moment[];
let films: { readonly short: string; readonly long: string };

beforeAll(async () => {
  if (!canMakeMedia) return;
  archive = await openTestIngest(undefined, {
    steps: [
      ...steps.filter((step) => step.class === 'playable'),
      text,
      { ...makeTextStep({ ...paddleText, models: await brokenModels(scratch) }), name: 'text-broken' },
      { ...makeTextStep(stumbling), name: 'text-stumbling' },
    ],
  });
  films = { short: await takeIn(await makeTitles()), long: await takeIn(await makeLongFilm()) };
  records = new Map((await findSteps(archive.context.pool, films.short)).map((record) => [record.step, record]));
  moments = (await findMoments(archive.context.pool, films.short)).filter(({ kind }) => kind === 'Ocr');
}, 120_000);
afterAll(async () => {
  await archive?.close();
  await rm(scratch, { recursive: true, force: true });
});

test.skipIf(!canMakeMedia)('a text in the picture is found at its time and place, by an engine that is named', async () => {
  const master = moments.find((moment) => moment.text === 'HARBOUR MASTER');
  expect(master).toMatchObject({ source: 'machine', engine: 'PaddleOCR PP-OCRv4' });
  expect(Math.abs((master?.startMs ?? 0) - 2_000)).toBeLessThanOrEqual(1_000);
  expect(Math.abs((master?.endMs ?? 0) - 4_000)).toBeLessThanOrEqual(1_000);
  const places = await findPlacedTexts(archive.context.pool, films.short);
  const place = places.find(({ startMs, endMs }) => startMs === master?.startMs && endMs === master.endMs)?.place;
  const [x, y] = [(place?.x ?? 0) + (place?.width ?? 0) / 2, (place?.y ?? 0) + (place?.height ?? 0) / 2];
  expect([x, y].map((share) => Math.round(share * 10) / 10)).toEqual([0.3, 0.8]);
});

test.skipIf(!canMakeMedia)('a running clock and a lone character are left out, and counted', () => {
  expect(moments.map((moment) => moment.text)).toEqual(['EVENING EXPRESS', 'HARBOUR MASTER']);
  expect(records.get('text')?.message).toBe('Ignored: 1 running clock, 1 lone character.');
});

test.skipIf(!canMakeMedia)('what stands in the picture unchanged is read once', () => {
  const { picturesRead, linesRead } = text.Result.parse(records.get('text')?.result);
  // The clock in every picture, the others when they come and where they might have begun and ended.
  expect(picturesRead).toBeGreaterThanOrEqual(10);
  expect(linesRead - picturesRead).toBeLessThanOrEqual(6);
});

test.skipIf(!canMakeMedia)('a model that is broken skips the step, and says so', () => {
  const { state, message } = records.get('text-broken') ?? {};
  expect([state, message]).toEqual(['skipped', 'PaddleOCR cannot be used: its file broken.onnx is damaged: its checksum is wrong.']);
});

test.skipIf(!canMakeMedia)('a step that was cut off goes on behind the stretches that it has read', async () => {
  const long = (await findSteps(archive.context.pool, films.long)).find(({ step }) => step === 'text-stumbling');
  expect([long?.state, long?.attempts]).toEqual(['done', 2]);
  // The first is that of the short film.
  expect(readStretches).toEqual([0, 0, 40, 40]);
});

async function brokenModels(folder: string): Promise<TextReader['models']> {
  const path = join(folder, 'broken.onnx');
  await writeFile(path, 'no network');
  return paddleText.models.map(({ sha256 }) => ({ path, sha256 }));
}

async function takeIn(path: string): Promise<string> {
  const { id } = await archive.ingest(path);
  const areDone = (found: readonly StepRecord[]) => found.every(({ state }) => state === 'done' || state === 'skipped');
  await until(async () => areDone(await findSteps(archive.context.pool, id)), { withinMs: 90_000 });
  return id;
}

/** Five seconds: a title all along, a lower third from the second to the fourth, a letter, and a clock. */
async function makeTitles(): Promise<string> {
  const path = join(scratch, 'titles.mp4');
  const draw = (more: string) => `drawtext=font=sans:fontcolor=white:${more}`;
  const filters = [
    draw("text='EVENING EXPRESS':fontsize=34:x=40:y=60"),
    draw("text='HARBOUR MASTER':fontsize=28:x=80:y=280:enable='between(t,2,4)'"),
    draw("text='K':fontsize=40:x=560:y=180"),
    draw("text='%{pts\\:hms}':fontsize=24:x=420:y=20"),
  ];
  const source = ['-f', 'lavfi', '-i', 'color=0x203040:s=640x360:r=10:d=5'];
  await makeMedia([...source, '-vf', filters.join(','), '-c:v', 'libx264', '-pix_fmt', 'yuv420p', path]);
  return path;
}

/** Longer than what is drawn at once. */
async function makeLongFilm(): Promise<string> {
  const path = join(scratch, 'long.mp4');
  await makeMedia(['-f', 'lavfi', '-i', 'color=0x203040:s=64x36:r=1:d=50', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', path]);
  return path;
}
