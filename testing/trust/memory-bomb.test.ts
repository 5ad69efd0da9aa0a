import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryOfTree } from '#ingest/tools/bound-memory.ts';
import { canMakeMedia, makeClip } from '../media-clips.ts';
import { putReport } from '../put-report.ts';
import { openTestIngest, type TestIngest } from '../test-ingest.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { bombs } from './bombs.ts';

const allowedMegabytes = 2_048;
const taken = wantsWholeCorpus ? bombs : bombs.slice(0, 3);
const lookEveryMs = 25;
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
  let peakBytes = 0;
  let isDone = false;
  const watch = async () => {
    while (!isDone) {
      for (const child of await ownChildren()) peakBytes = Math.max(peakBytes, await memoryOfTree(child));
      await wait(lookEveryMs);
    }
  };
  const watching = watch();
  const { state, failureCode } = await archive.ingest(path);
  isDone = true;
  await watching;
  return { verdict: failureCode ?? state, megabytes: Math.round(peakBytes / 1_048_576) };
}

async function ownChildren(): Promise<number[]> {
  const threads = await readdir('/proc/self/task');
  const children = threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8').catch(() => ''));
  return (await Promise.all(children)).flatMap((list) => list.split(' ').filter(Boolean)).map(Number);
}
