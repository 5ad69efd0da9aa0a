import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { expect, test } from 'vitest';
import { drawTitlePoster } from '#domain/drawing/title-poster.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { toPosterKey, toVideoKeys } from '#domain/files/video-keys.ts';
import { keepTold } from '#domain/footage/kept-sidecars.ts';
import { listCorrections, undoCorrection } from '#domain/videos/corrections/undo-correction.ts';
import { choosePoster } from '#domain/videos/desk/poster.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { runStepAgain } from '#domain/videos/steps.ts';
import { canMakeMedia, makeClip, makeMedia } from '#testing/media-clips.ts';
import { openTestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { untilQuiet } from '#testing/until-quiet.ts';
import { chooseBestCandidate } from '../media/choose-poster.ts';
import { steps } from '../steps.ts';
import { poster } from './stills.ts';

/** A picture whose light at a point is what `light` says. */
function picture(light: (x: number, y: number) => number): Buffer {
  const [width, height] = [96, 54];
  const data = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) data.fill(light(x, y), (y * width + x) * 4, (y * width + x) * 4 + 3);
  return Buffer.from(jpeg.encode({ data, width, height }, 80).data);
}

const black = picture(() => 4);
const white = picture(() => 250);
const grey = picture(() => 120);
const blurred = picture((x) => 60 + x);
const sharp = picture((x, y) => (x % 12 < 6 === y % 12 < 6 ? 60 : 190));
const darkDetail = picture((x, y) => (x % 12 < 6 === y % 12 < 6 ? 0 : 24));

test('a poster is neither black nor white nor empty, and the sharper of two pictures', () => {
  expect(chooseBestCandidate([black, grey, white, blurred])).toBe(3);
  expect(chooseBestCandidate([black, blurred, sharp, white])).toBe(2);
  expect(chooseBestCandidate([darkDetail, blurred])).toBe(1);
});

test('of equal pictures the earliest is taken, and of black ones still one', () => {
  expect(chooseBestCandidate([sharp, sharp, sharp])).toBe(0);
  expect(chooseBestCandidate([black])).toBe(0);
});

test.skipIf(!canMakeMedia)(
  'the second that an editor chose is drawn in full size beside the poster of the archive’s own, which comes back',
  {
    timeout: 120_000,
  },
  async () => {
    const archive = await openTestIngest(undefined, { steps: [...steps.filter((step) => step.class === 'playable'), poster] });
    const { context } = archive;
    try {
      const film = join(archive.scratch, 'film.mp4');
      await makeClip(film);
      const { id } = await archive.ingest(film);
      const { rows } = await context.pool.query(`insert into users (id, name) values ('ann', 'Ann') returning id`);
      const by = { videoId: id, actorUid: rows[0]?.id ?? '', from: '127.0.0.1' };
      const shown = async () => {
        const [video] = await findVideos(context.pool, [id]);
        return video && { ms: video.posterMs, version: video.posterVersion, picture: await readStored(context.store, toPosterKey(video)) };
      };
      const own = await shown();
      await choosePoster(context, { ...by, atMs: 1_000 });
      await until(async () => (await shown())?.ms === 1_000, { withinMs: 60_000 });
      const chosen = await shown();
      expect(chosen?.version).toBeGreaterThan(own?.version ?? 0);
      const [before, after] = [own, chosen].map((one) => jpeg.decode(one?.picture ?? Buffer.alloc(0)));
      expect([after?.width, after?.height]).toEqual([before?.width, before?.height]);
      const [correction] = await listCorrections(context.pool, id);
      await undoCorrection(context.pool, { ...by, correction: correction?.id ?? 0 });
      expect(await shown()).toMatchObject({ ms: null, picture: own?.picture });
    } finally {
      await archive.close();
    }
  },
);

test.skipIf(!canMakeMedia)(
  'a recording without pictures shows the title that what came with it tells by now, whether it is read alone or all is drawn anew',
  {
    timeout: 120_000,
  },
  async () => {
    const archive = await openTestIngest();
    const { context } = archive;
    try {
      const recording = join(archive.scratch, 'note.m4a');
      await makeMedia(['-f', 'lavfi', '-i', 'sine=f=440:d=3', '-c:a', 'aac', recording]);
      const { id } = await archive.ingest(recording);
      const keys = toVideoKeys(id);
      const shows = async (title: string) => (await readStored(context.store, keys.poster))?.equals(drawTitlePoster(title));
      const tell = async (title: string) => {
        await untilQuiet(context.pool);
        await keepTold(context.store, keys.sidecars, { title });
      };
      await tell('Harbour');
      await runStepAgain(context, { videoId: id, step: 'facts' });
      await untilQuiet(context.pool);
      expect(await shows('Harbour')).toBe(true);
      await tell('Quay');
      await context.pool.query(`update ingest_steps set state = 'waiting' where step = 'stills'`);
      await runStepAgain(context, { videoId: id, step: 'facts' });
      await untilQuiet(context.pool);
      expect(await shows('Quay')).toBe(true);
    } finally {
      await archive.close();
    }
  },
);
