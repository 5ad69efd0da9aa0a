import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { runStepAgain } from '#domain/videos/steps.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { sharedMedia } from '#testing/shared-media.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { untilQuiet } from '#testing/until-quiet.ts';
import { steps } from '../steps.ts';
import { pictureSubtitles } from './picture-subtitles.ts';

const media = sharedMedia();
let archive: TestIngest;
const withPictures = [...steps.filter((step) => step.class === 'playable'), pictureSubtitles];

beforeAll(async () => {
  if (!media || !canMakeMedia) return;
  archive = await openTestIngest(undefined, { steps: withPictures });
}, 60_000);
afterAll(() => archive?.close());

test.skipIf(!media || !canMakeMedia).each([
  ['PGS', 'copy'],
  ['VobSub', 'dvdsub'],
])('subtitles that are pictures are read as what is said, each at its time: %s', { timeout: 120_000 }, async (name, codec) => {
  const path = join(archive.scratch, `${name}.mkv`);
  await makeFilm(path, codec);
  const { id, said, captions } = await saidIn(path);
  // Slanted letters are narrow, and now and then one is not read.
  expect(said[0]?.text).toMatch(/the sailor So hearty and hale$/);
  expect(said[1]?.text).toMatch(/on an island On the back of a whale$/);
  expect(said.map(({ source, engine }) => [source, engine])).toEqual(said.map(() => ['machine', 'PaddleOCR on subtitles PP-OCRv4']));
  const times = said.map(({ startMs, endMs }) => [startMs, endMs]);
  for (const [n, time] of [1_000, 4_400, 4_600].entries()) expect(Math.abs((times.flat()[n] ?? 0) - time)).toBeLessThanOrEqual(400);
  expect(captions).toContain('hearty and hale');
  await keepsWhatWasRead(id);
});

/** Captions that are looked for once more, and not found, take none away that were read, also where an earlier version kept those in their place. */
async function keepsWhatWasRead(id: string): Promise<void> {
  const { pool, store } = archive.context;
  const { captions, readCaptions } = toVideoKeys(id);
  await store.put(captions, Buffer.from('WEBVTT of an earlier version'));
  await runStepAgain(archive.context, { videoId: id, step: 'captions' });
  await untilQuiet(pool);
  expect(await Promise.all([captions, readCaptions].map((key) => store.stat(key)))).not.toContain(null);
  // Read once more, it lies in its own place alone.
  await runStepAgain(archive.context, { videoId: id, step: 'picture-subtitles' });
  await untilQuiet(pool);
  expect([await store.stat(captions), await store.stat(readCaptions)]).toEqual([null, expect.anything()]);
}

/** The shared film's subtitles of its seconds 12 to 20, with a picture that is quick to make. */
async function makeFilm(path: string, codec: string): Promise<void> {
  const picture = ['-f', 'lavfi', '-i', 'color=0x203040:s=64x36:r=5:d=9'];
  const subtitles = ['-ss', '12', '-t', '8', '-i', join(media ?? '', 'videos', 'popeye-sindbad-1-pgs.mkv')];
  await makeMedia([
    ...picture,
    ...subtitles,
    '-map',
    '0:v',
    '-map',
    '1:s',
    '-t',
    '9',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-c:s',
    codec,
    path,
  ]);
}

async function saidIn(path: string) {
  const { id } = await archive.ingest(path);
  const { pool, store } = archive.context;
  const settled = await until(
    async () =>
      (await findSteps(pool, id)).find(({ step, state }) => step === 'picture-subtitles' && !['waiting', 'running'].includes(state)),
    { withinMs: 90_000 },
  );
  expect([settled.state, settled.message]).toEqual(['done', null]);
  const captions = await store.withLocalCopy(toVideoKeys(id).readCaptions, (local) => readFile(local, 'utf8'));
  return { id, said: (await findMoments(pool, id)).filter(({ kind }) => kind === 'Transcript'), captions };
}
