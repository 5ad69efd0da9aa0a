import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canMakeMedia, makeClip } from '../media-clips.ts';
import { putReport } from '../put-report.ts';
import { openTestIngest, type TestIngest } from '../test-ingest.ts';
import { watchChildren } from '../watched-children.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { bombs } from './bombs.ts';

const allowedMegabytes = 2_048;
const taken = wantsWholeCorpus ? bombs : bombs.slice(0, 3);
let folder: string;
let archives: TestIngest[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rushes-bombs-'));
  archives = [await openTestIngest(), await openTestIngest({ ffmpegPath: undefined, searchPath: '' })];
});
afterAll(async () => {
  for (const archive of archives) await archive.close();
  await rm(folder, { recursive: true, force: true });
});

test('no decoder of either tool holds more than 2 GB, whatever it is given, and the next good film is taken', {
  timeout: 1_500_000,
}, async ({ task, skip }) => {
  if (!canMakeMedia || process.platform !== 'linux') {
    putReport(task, { check: 'memory-bomb', skipped: 'needs Linux, and an ffmpeg to make the files with' });
    skip('needs Linux, and an ffmpeg to make the files with');
  }
  const peaks: { name: string; tool: string; megabytes: number; verdict: string; refused: string }[] = [];
  for (const { name, build, refused } of taken) {
    const path = join(folder, name);
    await build(path, folder);
    for (const archive of archives) {
      const { verdict, megabytes } = await ingestWatched(archive, path);
      peaks.push({ name, tool: archive.context.tools.name, megabytes, verdict, refused: refused ?? verdict });
    }
    await rm(path);
  }
  const over = peaks.filter(({ megabytes }) => megabytes > allowedMegabytes);
  putReport(task, {
    check: 'memory-bomb',
    files: peaks.length,
    peakRssMB: Math.max(...peaks.map(({ megabytes }) => megabytes)),
    over: over.length,
  });
  console.info(peaks.map(({ name, tool, megabytes, verdict }) => `${megabytes} MB, ${verdict}: ${name} (${tool})`).join('\n'));
  expect(over).toEqual([]);
  expect(peaks.filter(({ verdict, refused }) => verdict !== refused)).toEqual([]);
  for (const archive of archives) {
    const good = join(folder, 'good.mp4');
    await makeClip(good);
    expect((await archive.ingest(good)).state).toBe('Processed');
  }
});

/** What became of a file, and the most memory that any one child of this process held meanwhile. */
async function ingestWatched(archive: TestIngest, path: string): Promise<{ verdict: string; megabytes: number }> {
  const watch = watchChildren();
  const { state, failureCode } = await archive.ingest(path);
  const { peakRssMB } = await watch.stop();
  return { verdict: failureCode ?? state, megabytes: peakRssMB };
}
