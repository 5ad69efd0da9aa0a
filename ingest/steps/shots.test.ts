import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findShotStarts } from '#domain/videos/moments-of-video.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { steps } from '../steps.ts';

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

async function shotsOf(archive: TestIngest, path: string): Promise<number[]> {
  const { id } = await archive.ingest(path);
  const { pool } = archive.context;
  await until(async () => (await findSteps(pool, id)).some(({ step, state }) => step === 'shots' && state === 'done'), {
    withinMs: 60_000,
  });
  return await findShotStarts(pool, id);
}

test.skipIf(!canMakeMedia).each([
  ['ffmpeg', undefined],
  ['node-av', { ffmpegPath: undefined, searchPath: '' }],
] as const)(
  'a film is told apart into its shots by %s: cuts and dissolves, and no flash',
  { timeout: 120_000 },
  async (_tools, settings) => {
    const archive = await openTestIngest(settings, { steps: steps.filter((step) => step.class === 'playable' || step.name === 'shots') });
    const film = join(archive.scratch, 'film.mp4');
    await makeFilm(film);
    const [first, cut, dissolve, ...more] = await shotsOf(archive, film);
    await archive.close();
    expect([first, more]).toEqual([0, []]);
    expect(Math.abs((cut ?? 0) - 3_000)).toBeLessThanOrEqual(200);
    expect(Math.abs((dissolve ?? 0) - 6_000)).toBeLessThanOrEqual(200);
  },
);
