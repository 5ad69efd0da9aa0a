import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStored } from '#domain/files/read-stored.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { type FaceGroup, faceMarkOf } from '#domain/moments/faces.ts';
import { findLayers } from '#domain/moments/layers.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { sharedMedia } from '#testing/shared-media.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { steps } from '../steps.ts';

const media = sharedMedia();
let archive: TestIngest;
let id: string;

/** Two women of a film of 1940 who talk, a man of today, and the women once more: eight seconds of 640 × 480, looked at by the real engines. */
beforeAll(async () => {
  archive = await openTestIngest(undefined, {
    steps: steps.filter(({ class: group, name }) => group === 'playable' || wanted.includes(name)),
  });
  if (!media || !canMakeMedia) return;
  const film = join(archive.scratch, 'film.mp4');
  const clip = (name: string) => join(media, 'videos', name);
  const shape = 'fps=25,scale=640:480:force_original_aspect_ratio=increase,crop=640:480,setsar=1,format=yuv420p';
  const graph = [
    `[0]${shape},split[talk][again];[1]${shape},loop=-1:25,trim=duration=2,setpts=PTS-STARTPTS[man]`,
    '[talk]trim=1:4,setpts=PTS-STARTPTS[a];[again]trim=3:6,setpts=PTS-STARTPTS[b];[a][man][b]concat=n=3',
  ].join(';');
  const inputs = ['-i', clip('his-girl-friday-hildy.mp4'), '-i', clip('office-selfie-embedded-srt.mkv')];
  await makeMedia([...inputs, '-filter_complex', graph, '-an', '-sn', '-c:v', 'libx264', '-crf', '18', film]);
  id = (await archive.ingest(film)).id;
  await until(async () => (await findSteps(archive.context.pool, id)).every(({ state }) => state === 'done'), { withinMs: 240_000 });
}, 300_000);
afterAll(() => archive.close());

const wanted = ['shots', 'people', 'labels'];

test.skipIf(!media || !canMakeMedia)('people are told apart by their faces, and found again after another shot', async () => {
  const groups = await groupsOf();
  expect(groups).toHaveLength(3);
  const seen = groups.map(({ tracks }) => tracks.map(({ startMs, endMs }) => [Math.floor(startMs / 1_000), Math.ceil(endMs / 1_000)]));
  const man = seen.filter((times) => times.every(([from = 0, to = 0]) => from >= 3 && to <= 5));
  const women = seen.filter((times) => times.every(([from = 0, to = 0]) => to <= 3 || from >= 5));
  expect([man.length, women.length]).toEqual([1, 2]);
  expect(women.some((times) => times.length > 1)).toBe(true);
});

test.skipIf(!media || !canMakeMedia)('one who stands at the same place after a cut is one person', { timeout: 240_000 }, async () => {
  const film = join(archive.scratch, 'cuts.mp4');
  const shape = 'fps=25,scale=640:480:force_original_aspect_ratio=increase,crop=640:480,setsar=1,format=yuv420p';
  const dark = (x: number) => `drawbox=x=${x}:w=200:h=480:color=black:t=fill:enable='between(t,0.99,1.98)'`;
  const graph = `${shape},loop=-1:25,trim=duration=10,${dark(0)},${dark(480)}`;
  const still = join(media ?? '', 'videos', 'office-selfie-embedded-srt.mkv');
  await makeMedia(['-i', still, '-vf', graph, '-an', '-sn', '-c:v', 'libx264', '-crf', '18', film]);
  const cuts = await archive.ingest(film);
  await until(async () => (await findSteps(archive.context.pool, cuts.id)).every(({ state }) => state === 'done'), { withinMs: 200_000 });
  const shots = (await findLayers(archive.context.pool, cuts.id)).flatMap((layer) => (layer.name === 'shots' ? layer.startsMs : []));
  expect([shots.length, (await groupsOf(cuts.id)).map(({ tracks }) => tracks.length)]).toEqual([3, [3]]);
});

test.skipIf(!media || !canMakeMedia)('each face has a picture, and what told it from others is gone with the step', async () => {
  for (const group of await groupsOf()) {
    const picture = await readStored(archive.context.store, `${toVideoKeys(id).faces}/${faceMarkOf(group)}.jpg`);
    expect(picture?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  }
  const { pool } = archive.context;
  expect((await pool.query('select from step_pieces')).rowCount).toBe(0);
  const { rows } = await pool.query<{ kept: string }>(
    'select facts::text as kept from layers union all select result::text from ingest_steps',
  );
  expect(rows.filter(({ kept }) => kept?.includes('embedding'))).toEqual([]);
});

test.skipIf(!media || !canMakeMedia)('a thing is named with its engine, and how sure that is, from where to where it is seen', async () => {
  const labels = (await findLayers(archive.context.pool, id)).flatMap((layer) => (layer.name === 'labels' ? [layer] : []));
  const moments = labels.flatMap((layer) => layer.moments);
  expect(labels.flatMap(({ names }) => names)).toContain('person');
  for (const { source, engine, confidencePercent, startMs, endMs } of moments) {
    expect([source, engine]).toEqual(['machine', 'CenterNet 3.3.6']);
    expect(confidencePercent).toBeGreaterThanOrEqual(45);
    expect([startMs >= 0, startMs < endMs, endMs <= 8_100]).toEqual([true, true, true]);
  }
});

async function groupsOf(film = id): Promise<readonly FaceGroup[]> {
  return (await findLayers(archive.context.pool, film)).flatMap((layer) => (layer.name === 'faces' ? layer.groups : []));
}
