import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { expect, test } from 'vitest';
import { countFrames, readFrameAt } from '#domain/files/frame-pack.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { findLayers, findShots } from '#domain/moments/layers.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { runStepAgain } from '#domain/videos/steps.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { publishAsItIs } from '#testing/publish-as-it-is.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { untilQuiet } from '#testing/until-quiet.ts';
import { StepFailure } from '../step-failure.ts';
import { steps } from '../steps.ts';
import type { MediaTools } from '../tools/media-tools.ts';
import { facts } from './facts.ts';
import { probe } from './probe.ts';
import { shots } from './shots.ts';

/** A pattern that moves, a cut after three seconds, a dissolve of a second around the sixth, and a flash of a tenth in the eighth. */
async function makeFilm(path: string): Promise<void> {
  const source = (text: string) => ['-f', 'lavfi', '-i', `${text}:size=160x90:rate=25`];
  const graph = [
    '[1]trim=duration=3.5[zoom];[0][zoom]concat=n=2,settb=1/25[cut]',
    '[2]settb=1/25[bars];[cut][bars]xfade=duration=1:offset=5.5,drawbox=color=white:t=fill:enable=between(t\\,8\\,8.1)',
  ].join(';');
  const inputs = [...source('testsrc2=duration=3'), ...source('mandelbrot=end_scale=0.1'), ...source('smptebars=duration=5')];
  await makeMedia([...inputs, '-filter_complex', graph, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', path]);
}

/** Longer than the stretches that films are drawn in, with a cut to green three tenths of a second before one ends; sound goes on for as long again. */
async function makeLongFilm(path: string): Promise<void> {
  const lengths = { red: 299.6, lime: 0.6, blue: 1.6, yellow: 4 };
  const inputs = Object.entries(lengths).flatMap(([name, d]) => ['-f', 'lavfi', '-i', `color=${name}:s=160x90:r=5:d=${d}`]);
  const graph = ['-filter_complex', '[0][1][2][3]concat=n=4[v]', '-map', '[v]', '-map', '4'];
  const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-sc_threshold', '0', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await makeMedia([...inputs, '-f', 'lavfi', '-i', 'sine=d=610', ...graph, ...encode, path]);
}

async function shotsOf(archive: TestIngest, path: string) {
  const { id } = await archive.ingest(path);
  const { pool } = archive.context;
  await until(async () => (await findSteps(pool, id)).some(({ step, state }) => step === 'shots' && state === 'done'), {
    withinMs: 60_000,
  });
  return { id, found: await findShots(pool, id) };
}

const run = [facts, probe, publishAsItIs, shots];
const tools = [
  ['ffmpeg', undefined],
  ['node-av', { ffmpegPath: undefined, searchPath: '' }],
] as const;

test.skipIf(!canMakeMedia).each(tools)(
  'a film is told apart into its shots by %s: cuts and dissolves, and no flash',
  { timeout: 120_000 },
  async (_tools, settings) => {
    const archive = await openTestIngest(settings, { steps: run });
    const film = join(archive.scratch, 'film.mp4');
    await makeFilm(film);
    const [first, cut, dissolve, ...more] = (await shotsOf(archive, film)).found.map(({ startMs }) => startMs);
    await archive.close();
    expect([first, more]).toEqual([0, []]);
    expect(Math.abs((cut ?? 0) - 3_000)).toBeLessThanOrEqual(200);
    expect(Math.abs((dissolve ?? 0) - 6_000)).toBeLessThanOrEqual(200);
  },
);

const colours = { red: [255, 0, 0], lime: [0, 255, 0], blue: [0, 0, 255], yellow: [255, 255, 0] } as const;

/** What fills the still of each shot: the colour that its pixels are nearest to, all of them. */
async function coloursOf({ context: { store } }: TestIngest, { id, found }: Awaited<ReturnType<typeof shotsOf>>) {
  const key = toVideoKeys(id).shotPack;
  const stills = await Promise.all(found.map(({ stillMs }) => (stillMs === null ? null : readFrameAt(store, key, stillMs))));
  expect(await countFrames(store, key)).toBe(found.length);
  return stills.map((still) => {
    const { data } = jpeg.decode(still ?? Buffer.alloc(0));
    const names = new Set<string | undefined>();
    for (let at = 0; at < data.length; at += 4) {
      const off = (colour: readonly number[]) => Math.hypot(...colour.map((value, n) => value - (data[at + n] ?? 0)));
      names.add(Object.entries(colours).toSorted(([, a], [, b]) => off(a) - off(b))[0]?.[0]);
    }
    return [...names].join(' and ');
  });
}

test.skipIf(!canMakeMedia).each(tools)(
  'each shot has a still of its own, one of 0.6 s between two small frames as well, by %s',
  { timeout: 120_000 },
  async (_tools, settings) => {
    const archive = await openTestIngest(settings, { steps: run });
    try {
      const film = join(archive.scratch, 'film.mkv');
      // Late on its clock, and with sound that goes on when there is no picture any more.
      const lengths = { red: 2.52, lime: 0.6, blue: 1.68, yellow: 0.84 };
      const inputs = Object.entries(lengths).flatMap(([name, d]) => ['-f', 'lavfi', '-i', `color=${name}:s=320x180:r=25:d=${d}`]);
      const graph = ['-filter_complex', '[0][1][2][3]concat=n=4[v]', '-map', '[v]', '-map', '4'];
      const encode = ['-c:v', 'libx264', '-g', '250', '-sc_threshold', '0', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
      await makeMedia([...inputs, '-f', 'lavfi', '-i', 'sine=d=14', ...graph, ...encode, '-output_ts_offset', '60', film]);
      const told = await shotsOf(archive, film);
      expect(await coloursOf(archive, told)).toEqual(['red', 'lime', 'blue', 'yellow']);
      const [, short, blue] = told.found;
      expect([short?.startMs, short?.stillMs, blue?.startMs]).toEqual([2_600, 3_000, 3_200]);
      // As the version before left it.
      const before = { madeBy: 'shots', version: 1, layers: [{ name: 'shots', startsMs: [0, 2_600] }] } as const;
      await publishLayers(archive.context.pool, told.id, before);
      expect(await findShots(archive.context.pool, told.id)).toEqual([0, 2_600].map((startMs) => ({ startMs, stillMs: null })));
    } finally {
      await archive.close();
    }
  },
);

test.skipIf(!canMakeMedia).each(tools)(
  'a long film is told apart as if it had been drawn at once, and a worker that fails goes on behind what it has looked at, by %s',
  { timeout: 180_000 },
  async (_tools, settings) => {
    const drawnFrom: number[] = [];
    const stumbling = (found: MediaTools): MediaTools => ({
      ...found,
      drawGrey: async (input, plan) => {
        drawnFrom.push(plan.fromSeconds);
        if (drawnFrom.length === 2) throw new StepFailure({ is: 'try-again' }, 'The power went.');
        await found.drawGrey(input, plan);
      },
    });
    const archive = await openTestIngest(settings, { steps: run, tools: stumbling });
    try {
      const film = join(archive.scratch, 'long.mp4');
      await makeLongFilm(film);
      const told = await shotsOf(archive, film);
      expect(told.found.map(({ startMs }) => startMs)).toEqual([0, 299_600, 300_200, 301_800]);
      expect(await coloursOf(archive, told)).toEqual(['red', 'lime', 'blue', 'yellow']);
      expect(drawnFrom.map((second) => Math.ceil(second / 300))).toEqual([0, 1, 1, 2]);
    } finally {
      await archive.close();
    }
  },
);

test.skipIf(!canMakeMedia)('nothing is said or shown of the pictures of a film that has none any more', { timeout: 120_000 }, async () => {
  const ofPictures = ['shots', 'picture-subtitles', 'text', 'people', 'labels'];
  const kept = steps.filter(({ class: group, name }) => group === 'playable' || ofPictures.includes(name));
  const archive = await openTestIngest(undefined, { steps: kept });
  try {
    const { pool, store } = archive.context;
    const path = join(archive.scratch, 'sound.mp3');
    await makeMedia(['-f', 'lavfi', '-i', 'sine=d=2', path]);
    const { id } = await archive.ingest(path);
    await untilQuiet(pool);
    // As a file with pictures left it, which this one came in the place of.
    const { framePack, storyboard, storyboardIndex, faces } = toVideoKeys(id);
    const files = [framePack, storyboard, storyboardIndex, `${faces}/one.jpg`];
    for (const key of files) await store.put(key, Buffer.from('old'));
    const layers = [{ name: 'labels', names: ['a quay'], moments: [] }] as const;
    for (const madeBy of ofPictures) await publishLayers(pool, id, { madeBy, version: 1, layers });
    await pool.query(`update ingest_steps set result = '{"lines": 3}' where step = any ($1)`, [ofPictures]);
    for (const step of ['stills', ...ofPictures]) await runStepAgain(archive.context, { videoId: id, step });
    await untilQuiet(pool);
    expect((await findLayers(pool, id)).filter(({ name }) => name === 'labels')).toEqual([]);
    const left = (await findSteps(pool, id)).filter(({ step, result }) => ofPictures.includes(step) && result !== null);
    expect([left, await Promise.all(files.map((key) => store.stat(key)))]).toEqual([[], files.map(() => null)]);
  } finally {
    await archive.close();
  }
});
