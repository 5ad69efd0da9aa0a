import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFootage } from '#domain/videos/find-footage.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { canMakeMedia, makeClip, makeMedia } from '#testing/media-clips.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { importFile } from './import-file.ts';

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

async function isPastProbe(videoId: string): Promise<boolean> {
  return (await findSteps(archive.context.pool, videoId)).some(({ step }) => step !== 'probe');
}
