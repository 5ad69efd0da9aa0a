import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFootage } from '#domain/videos/footage.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { canMakeMedia, ffmpegPath, makeClip, makeMedia } from '#testing/media-clips.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { importFile } from './footage/import-file.ts';

let archive: TestIngest;
beforeAll(async () => {
  archive = await openTestIngest();
});
afterAll(() => archive.close());

const patience = { withinMs: 150_000 };

test.skipIf(!canMakeMedia)(
  'a short film is published while a long one, which came before it, is still being worked on',
  { timeout: 200_000 },
  async () => {
    const [long, short] = [join(archive.scratch, 'long.mkv'), join(archive.scratch, 'short.mp4')];
    await makeClip(short);
    const once = join(archive.scratch, 'once.mkv');
    await makeClip(once, ['-vf', 'scale=640:360', '-c:a', 'libopus']);
    await makeMedia(['-stream_loop', '240', '-i', once, '-c', 'copy', long]);
    const { videoId } = await importFile(archive.context, long);
    await until(async () => await isPastProbe(videoId), patience);
    expect((await archive.ingest(short)).state).toBe('Processed');
    expect((await findFootage(archive.context.pool, videoId))?.state).toBe('Processing');
  },
);

test.skipIf(!canMakeMedia)(
  'an encode that stands still is ended and tried again; the third time the film fails for the time it took',
  { timeout: 200_000 },
  async () => {
    const stuck = await openTestIngest({ ffmpegPath: await stuckFfmpeg(), searchPath: '' }, { encodeSilenceMs: 1_500 });
    const film = join(stuck.scratch, 'film.mkv');
    await makeClip(film, ['-c:a', 'libopus']);
    const video = await stuck.ingest(film);
    const [renditions] = (await findSteps(stuck.context.pool, video.id)).filter(({ step }) => step === 'renditions');
    await stuck.close();
    expect(video).toMatchObject({ state: 'Failed', failureCode: 'processing_timeout' });
    expect(renditions).toMatchObject({ attempts: 3, message: expect.stringContaining('stood still') });
  },
);

/** An ffmpeg that does all but encode: there it tells the same second for ever. */
async function stuckFfmpeg(): Promise<string> {
  const folder = join(archive.scratch, 'stuck');
  await mkdir(folder);
  const stands = 'while true; do echo out_time_us=40000; sleep 0.1; done';
  const script = `#!/bin/sh\ncase "$*" in *libx264*) ${stands} ;; esac\nexec ${ffmpegPath} "$@"\n`;
  await writeFile(join(folder, 'ffmpeg'), script, { mode: 0o755 });
  await writeFile(join(folder, 'ffprobe'), `#!/bin/sh\nexec ${join(dirname(ffmpegPath), 'ffprobe')} "$@"\n`, { mode: 0o755 });
  return join(folder, 'ffmpeg');
}

async function isPastProbe(videoId: string): Promise<boolean> {
  return (await findSteps(archive.context.pool, videoId)).some(({ step, state }) => step === 'probe' && state === 'done');
}
